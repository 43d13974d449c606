"""The work as a dataset of pydantic_evals: agents of pydantic_ai on its FunctionModel, all messages in the report."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

import work
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessagesTypeAdapter, ModelResponse, TextPart, ToolCallPart, UserPromptPart
from pydantic_ai.models.function import FunctionModel
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import Evaluator
from pydantic_evals.reporting import EvaluationReportAdapter


async def speak(messages, info):
    """The user's model."""
    await work.think()
    return ModelResponse(parts=[TextPart(work.USER)])


async def act(messages, info):
    """The agent's model: calls the tool, then says its sentence."""
    await work.think()
    asked = [part for message in messages for part in message.parts if isinstance(part, UserPromptPart)]
    if any(isinstance(part, UserPromptPart) for part in messages[-1].parts):
        return ModelResponse(parts=[ToolCallPart(work.TOOL, work.arguments(len(asked) - 1))])
    return ModelResponse(parts=[TextPart(work.AGENT)])


agent = Agent(FunctionModel(act), system_prompt=work.SYSTEM)
user = Agent(FunctionModel(speak))


@agent.tool_plain(name=work.TOOL)
async def search_books(query: str, page: int) -> str:
    """Search the catalog; gives twenty books, the best match first."""
    return work.search(query, page)


async def talk(case: str) -> list:
    """Hold one conversation; return all messages of the agent's side, which the report keeps."""
    said, heard, messages = "Begin.", [], []
    for _ in range(work.TURNS):
        one = await user.run(said, message_history=heard)
        heard = one.all_messages()
        other = await agent.run(one.output, message_history=messages)
        messages, said = other.all_messages(), other.output
    return ModelMessagesTypeAdapter.dump_python(messages, mode="json")


@dataclass
class Turns(Evaluator):
    """How many turns there were."""

    def evaluate(self, context) -> int:
        return sum(part["part_kind"] == "user-prompt" for message in context.output for part in message["parts"])


async def main():
    """Evaluate and store."""
    cases = [Case(name=f"t{n:04}", inputs=f"t{n:04}") for n in range(work.CONVERSATIONS)]
    dataset = Dataset(name="talk", cases=cases, evaluators=[Turns()])
    report = await dataset.evaluate(talk, max_concurrency=work.CONCURRENCY, progress=False)
    assert not report.failures, report.failures[0]
    assert all(case.scores["Turns"].value == work.TURNS for case in report.cases)
    folder = Path(work.LOGS)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.json").write_bytes(EvaluationReportAdapter.dump_json(report))


if __name__ == "__main__":
    asyncio.run(main())
