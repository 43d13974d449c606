"""The work for deepeval: its conversation simulator as the user, the agent in its callback, and `evaluate()`."""

import json

import work
from deepeval import evaluate
from deepeval.dataset import ConversationalGolden
from deepeval.evaluate import AsyncConfig, CacheConfig, DisplayConfig
from deepeval.metrics import BaseConversationalMetric
from deepeval.models import DeepEvalBaseLLM
from deepeval.simulator import ConversationSimulator
from deepeval.simulator.controller import proceed
from deepeval.test_case import ToolCall, Turn


class MockUser(DeepEvalBaseLLM):
    """The user's model."""

    def load_model(self):
        return self

    def generate(self, prompt, schema=None):
        raise NotImplementedError("the simulator is asynchronous")

    async def a_generate(self, prompt, schema=None):
        await work.think()
        return schema(simulated_input=work.USER) if schema else json.dumps({"simulated_input": work.USER})

    def get_model_name(self):
        return "mock"


async def model(messages):
    """The agent's model: calls the tool, then says its sentence."""
    await work.think()
    if messages[-1]["role"] == "user":
        turn = sum(message["role"] == "user" for message in messages) - 1
        return {"role": "assistant", "content": "", "call": work.arguments(turn)}
    return {"role": "assistant", "content": work.AGENT}


async def agent(input, turns):  # noqa: A002 - passed by name
    """The tool loop, which deepeval leaves to the user's own code."""
    messages = [{"role": "system", "content": work.SYSTEM}]
    messages += [{"role": turn.role, "content": turn.content} for turn in turns]
    if messages[-1]["role"] != "user":
        messages.append({"role": "user", "content": input})
    tools = []
    while "call" in (reply := await model(messages)):
        found = work.search(**reply["call"])
        tools.append(ToolCall(name=work.TOOL, input_parameters=reply["call"], output=found))
        messages += [reply, {"role": "tool", "content": found}]
    return Turn(role="assistant", content=reply["content"], tools_called=tools)


class Turns(BaseConversationalMetric):
    """How many turns there were."""

    def __init__(self):
        self.threshold, self.async_mode, self.evaluation_model = work.TURNS, True, None
        self.include_reason, self.strict_mode = False, False

    def measure(self, test_case, *args, **kwargs):
        self.score = sum(turn.role == "user" for turn in test_case.turns)
        self.success = self.score >= self.threshold
        return self.score

    async def a_measure(self, test_case, *args, **kwargs):
        return self.measure(test_case)

    def is_successful(self):
        return self.success

    @property
    def __name__(self):
        return "turns"


if __name__ == "__main__":
    goldens = [
        ConversationalGolden(scenario=f"t{n:04}: " + work.SYSTEM, user_description="A reader.")
        for n in range(work.CONVERSATIONS)
    ]
    simulator = ConversationSimulator(
        model_callback=agent,
        simulator_model=MockUser(),
        max_concurrent=work.CONCURRENCY,
        stopping_controller=proceed,
    )
    cases = simulator.simulate(conversational_goldens=goldens, max_user_simulations=work.TURNS)
    assert len(cases) == work.CONVERSATIONS
    assert all(len(case.turns) == 2 * work.TURNS for case in cases), [len(case.turns) for case in cases]
    result = evaluate(
        test_cases=cases,
        metrics=[Turns()],
        async_config=AsyncConfig(max_concurrent=work.CONCURRENCY, throttle_value=0),
        display_config=DisplayConfig(show_indicator=False, print_results=False),
        cache_config=CacheConfig(write_cache=False),
    )
    assert all(test.success for test in result.test_results)
