"""The work as a task of inspect_ai: a model API of its own, its tool loop, `eval()` with its log on."""

import inspect_ai
import work
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    ModelAPI,
    ModelOutput,
    get_model,
    modelapi,
)
from inspect_ai.scorer import Score, mean, scorer
from inspect_ai.solver import solver
from inspect_ai.tool import tool


class Mock(ModelAPI):
    """The agent's model: calls the tool, then says its sentence; as ``user`` it only says that one's."""

    async def generate(self, input, tools, tool_choice, config):  # noqa: A002 - inspect_ai's signature
        await work.think()
        if self.model_name == "user":
            return ModelOutput.from_content(self.model_name, work.USER)
        if input[-1].role == "user":
            turn = sum(message.role == "user" for message in input) - 1
            return ModelOutput.for_tool_call(self.model_name, work.TOOL, work.arguments(turn), content="")
        return ModelOutput.from_content(self.model_name, work.AGENT)

    def max_connections(self):
        return work.CONCURRENCY


@modelapi(name="peers")
def peers():
    return Mock


@tool(name=work.TOOL)
def search_books():
    async def execute(query: str, page: int) -> str:
        """
        Search the catalog; gives twenty books, the best match first.

        Args:
            query: What to look for.
            page: Which page of results.
        """
        return work.search(query, page)

    return execute


@solver
def conversation():
    async def solve(state, generate):
        user = get_model("peers/user")
        state.tools = [search_books()]
        state.messages = [ChatMessageSystem(content=work.SYSTEM)]
        heard = []
        for _ in range(work.TURNS):
            said = await user.generate(heard or [ChatMessageUser(content="Begin.")])
            state.messages.append(ChatMessageUser(content=said.completion))
            state = await generate(state, tool_calls="loop")
            heard += [
                ChatMessageAssistant(content=said.completion),
                ChatMessageUser(content=state.output.completion),
            ]
        return state

    return solve


@scorer(metrics=[mean()])
def turns():
    async def score(state, target):
        return Score(value=sum(message.role == "user" for message in state.messages))

    return score


@task
def talk():
    samples = [Sample(id=f"t{n:04}", input=work.USER) for n in range(work.CONVERSATIONS)]
    return Task(dataset=samples, solver=conversation(), scorer=turns())


if __name__ == "__main__":
    (log,) = inspect_ai.eval(
        talk(),
        model="peers/agent",
        log_dir=work.LOGS,
        display="none",
        max_samples=work.CONCURRENCY,
        max_connections=work.CONCURRENCY,
    )
    assert log.status == "success", log.error
    assert log.results.scores[0].metrics["mean"].value == work.TURNS
