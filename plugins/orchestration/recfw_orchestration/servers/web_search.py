"""Server ``web-search``: a local web of pages about the items of all domains; nothing leaves the machine."""

from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from recfw_orchestration.data.records import Page
from recfw_orchestration.data.store import Data
from recfw_orchestration.servers.arguments import Limit, PageDomain, PageId, Query
from recfw_orchestration.servers.faults import short
from recfw_orchestration.servers.lookup import asked, listed
from recfw_orchestration.servers.results import Listed, PageHit, PageText
from recfw_orchestration.servers.strict import StrictServer

SNIPPET, BEFORE = 200, 60
"""Characters of a snippet, and how many of them stand before the first word found."""


def build(data: Data) -> MCPServer[Any]:
    """Return the server over a store."""
    own = WebSearch(data)
    return StrictServer("web-search", "Search and read a local web of pages.", (own.web_search, own.read_page), data)


class WebSearch:
    """The tools of ``web-search``."""

    def __init__(self, data: Data) -> None:
        self._data = data

    def web_search(self, query: Query, domain: PageDomain = None, limit: Limit = 10) -> Listed[PageHit]:
        """Search pages about products, businesses and venues; the best match first."""
        found, total = self._data.search_pages(asked(query), domain, limit)
        hits: list[PageHit] = [
            {
                "page_id": page.page_id,
                "title": page.title,
                "domain": page.domain,
                "snippet": snippet(page, query),
                "item_ids": list(page.item_ids),
            }
            for page, _ in found
        ]
        return listed(hits, limit, total)

    def read_page(self, page_id: PageId) -> PageText:
        """Give the whole text of one page."""
        page = self._data.page(page_id)
        if page is None:
            raise ToolError(f"No page has the id {short(page_id)}. Take page_id from results of web_search.")
        return {
            "page_id": page.page_id,
            "title": page.title,
            "domain": page.domain,
            "text": page.text,
            "item_ids": list(page.item_ids),
        }


def snippet(page: Page, query: str) -> str:
    """Return a stretch of a page around the first word of the query that it holds, or its beginning."""
    text, low = page.text, page.text.lower()
    places = [place for word in query.lower().split() if (place := low.find(word)) >= 0]
    start = max(0, min(places, default=0) - BEFORE)
    cut = " ".join(text[start : start + SNIPPET].split())
    return f"{'…' if start else ''}{cut}{'…' if start + SNIPPET < len(text) else ''}"
