"""A task: one request that an agent is put before, in a public and a private half."""

from typing import Any

from attrs import Factory, frozen


@frozen
class Task:
    """
    One task of a track.

    Args:
        id: Unique within the track's content.
        cluster: What the statistics resample (tasks of one cluster are not independent), such as a family or a profile.
        facets: Facet name -> value, by which reports split (tier, domain, condition …).
        public: What any role may be shown. An agent's first View depends on nothing else.
        private: The goal and all that only the environment and the user simulator know.
    """

    id: str
    cluster: str
    facets: dict[str, str] = Factory(dict)
    public: dict[str, Any] = Factory(dict)
    private: dict[str, Any] = Factory(dict)
