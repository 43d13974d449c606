"""What an answer cost."""

import pytest
from fakes_client import Said, raw

from recfw.errors import UsageError
from recfw_litellm.options import ModelOptions
from recfw_litellm.prices import check_prices, cost_of
from recfw_litellm.transports.litellm import LiteLLM

PRICED = ModelOptions("m", input_price=2.0, output_price=10.0, cached_price=0.5)


def test_l11364_l31714_cached_tokens_have_a_price_of_their_own() -> None:
    """Of 100 tokens read 40 came from the provider's cache: 60 at the full price, 40 at theirs, 20 written."""
    assert (60 * 2.0 + 40 * 0.5 + 20 * 10.0) / 1e6 == pytest.approx(cost_of(PRICED, Said(), raw()))


def test_cached_tokens_without_a_price_cost_what_others_do() -> None:
    """No price of their own: the price of tokens read."""
    options = ModelOptions("m", input_price=2.0, output_price=10.0)
    assert (100 * 2.0 + 20 * 10.0) / 1e6 == pytest.approx(cost_of(options, Said(), raw()))


def test_a_price_of_nothing_is_a_price() -> None:
    """A model of one's own costs 0, which is not the same as unknown."""
    assert 0.0 == cost_of(ModelOptions("m", input_price=0.0, output_price=0.0), Said(), raw())


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": None}, "many", {"prompt_tokens": "100"}])
def test_without_usage_the_cost_is_not_known(usage: object) -> None:
    """A provider that tells no usage was not free of charge."""
    assert cost_of(PRICED, Said(), {**raw(), "usage": usage}) is None


def test_without_any_price_the_cost_is_not_known() -> None:
    """Neither the options nor the transport's table know the model."""
    assert cost_of(ModelOptions("m"), Said(), raw()) is None


def test_usage_in_another_shape_is_priced_too() -> None:
    """Providers that count input_tokens and what their cache gave beside them are paid the same."""
    usage = {"input_tokens": 60, "cache_read_input_tokens": 40, "output_tokens": 20}
    assert cost_of(PRICED, Said(), raw()) == pytest.approx(cost_of(PRICED, Said(), {**raw(), "usage": usage}))


def test_more_cached_than_read_cannot_make_it_cheaper_than_free() -> None:
    """A provider's nonsense is bounded."""
    usage = {"prompt_tokens": 10, "completion_tokens": 0, "prompt_tokens_details": {"cached_tokens": 99}}
    assert 10 * 0.5 / 1e6 == pytest.approx(cost_of(PRICED, Said(), {**raw(), "usage": usage}))


@pytest.mark.parametrize("given", [{"input_price": 1.0}, {"output_price": 1.0}, {"cached_price": 1.0}])
def test_a_price_alone_is_refused(given: dict[str, float]) -> None:
    """Half a price would make a wrong figure."""
    with pytest.raises(UsageError, match=r"Give (both|all three)"):
        check_prices(ModelOptions("m", **given))


def test_l11364_the_table_knows_what_cached_tokens_cost(library: object) -> None:
    """By litellm's own table, forty cached tokens cost less than forty others, by what its entry says."""
    options, entry = ModelOptions("openai/gpt-4o-mini"), library.model_cost["gpt-4o-mini"]
    expected = (
        60 * entry["input_cost_per_token"]
        + 40 * entry["cache_read_input_token_cost"]
        + 20 * entry["output_cost_per_token"]
    )
    assert expected == pytest.approx(cost_of(options, LiteLLM(options), raw()))


def test_own_prices_win_over_the_table(library: object) -> None:
    """Somebody with a contract pays their own prices."""
    options = ModelOptions("openai/gpt-4o-mini", input_price=2.0, output_price=10.0, cached_price=0.5)
    assert cost_of(PRICED, Said(), raw()) == cost_of(options, LiteLLM(options), raw())
