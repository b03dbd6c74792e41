"""Refusals carry the contract's type and code, and the words that their caller reads."""

import pytest

from kit import errors

REFUSALS = [
    (errors.InvalidData("x"), "invalid_data", None),
    (errors.NotAllowed("x"), "not_allowed", None),
    (errors.Forbidden("x"), "not_allowed", None),
    (errors.Unauthorized("x"), "unauthorized", None),
    (errors.NotFound("x"), "not_found", None),
    (errors.Duplicate("x"), "duplicate_error", "invalid_request_error"),
    (errors.TooManyRequests("x", retry_after=5), "not_allowed", None),
    (errors.Unavailable("x"), "unavailable", None),
]


@pytest.mark.parametrize(("refusal", "type", "code"), REFUSALS)
def test_type_code_and_message(refusal: errors.DomainError, type: str, code: str | None) -> None:
    assert (refusal.type, refusal.code, refusal.message, str(refusal)) == (type, code, "x", "x")


def test_a_conflict_is_the_interfaces_fifth_body() -> None:
    conflict = errors.Conflict()
    assert (conflict.type, conflict.code) == ("QueryRunnerAlreadyReleasedError", "unknown_error")
    assert "may retry the request with the provided Idempotency-Key" in conflict.message


def test_every_refusal_is_in_the_table() -> None:
    assert {type(refusal) for refusal, _, _ in REFUSALS} | {errors.Conflict} == set(
        errors.DomainError.__subclasses__()
    ) & {value for value in vars(errors).values() if isinstance(value, type)}
