"""The register that a practice's questions are masked with: its own clients, every one of them, and nobody else's."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from django.db import connection
from django.utils import timezone

from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import KnownPractice
from clients.models import Client
from research.adapters.client_register import read_register
from research.model_terms import ModelFailed, ModelProblem
from research.models import Question
from research.privacy.masking import mask

pytestmark = pytest.mark.security


def add(name: str, tfn: str = "", **known: object) -> Client:
    client = Client(name=name, **known)
    client.set_tfn(tfn)
    client.save()
    return client


def test_a_practice_masks_its_own_clients_and_not_those_of_another(throwaway: Callable[[], KnownPractice]) -> None:
    ours, theirs = throwaway(), throwaway()
    with in_practice(ours.practice):
        add("Quokka Nominees Pty Ltd", "123456782", phones=["0412 345 678"], trading_names=["Numbat Tools"])
    with in_practice(theirs.practice):
        add("Bilby Bakery Pty Ltd", "876543210", abn="51824753556", archived_at=timezone.now())
    text = "Quokka Nominees, Numbat Tools, Bilby Bakery, 0412345678"
    for _ in range(2):  # also from what is remembered
        with in_practice(ours.practice):
            register = read_register()
            assert [client.name for client in register.clients] == ["Quokka Nominees Pty Ltd"]
            assert register.clients[0].tfn == "123456782"
            assert mask([text], register).texts == ("[CLIENT-1], [CLIENT-1B], Bilby Bakery, [PHONE-1]",)
            assert read_register() is register
        with in_practice(theirs.practice):
            register = read_register()
            assert [(client.name, client.tfn) for client in register.clients] == [("Bilby Bakery Pty Ltd", "876543210")]
            assert mask([text], register).texts == ("Quokka Nominees, Numbat Tools, [CLIENT-1], [PHONE-1]",)


def test_two_practices_at_once_each_have_their_own(throwaway: Callable[[], KnownPractice]) -> None:
    known = [throwaway(), throwaway()]
    for place, each in enumerate(known):
        with in_practice(each.practice):
            add(f"Client of {place}")
    seen: list[set[str]] = [set(), set()]

    def ask(place: int) -> None:
        try:
            for _ in range(20):
                with in_practice(known[place].practice):
                    seen[place] |= {client.name for client in read_register().clients}
        finally:
            connection.close()

    threads = [threading.Thread(target=ask, args=(place,)) for place in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [{"Client of 0"}, {"Client of 1"}]


def test_what_changes_in_the_register_is_masked_from_the_next_question_on(
    throwaway: Callable[[], KnownPractice],
) -> None:
    with in_practice(throwaway().practice):
        assert read_register().clients == ()
        client = add("Quokka Nominees Pty Ltd")
        assert [each.allows_remote for each in read_register().clients] == [True]
        Client.objects.filter(pk=client.pk).update(allows_remote=False, emails=["a@b.example"])
        assert [(each.allows_remote, each.emails) for each in read_register().clients] == [(False, ("a@b.example",))]


def test_where_a_tax_file_number_does_not_open_nothing_may_be_sent(throwaway: Callable[[], KnownPractice]) -> None:
    with in_practice(throwaway().practice):
        one = add("One", "123456782")
        Client.objects.create(name="Two", sealed_tfn=one.sealed_tfn)
        with pytest.raises(ModelFailed) as refusal:
            read_register()
        assert refusal.value.problem is ModelProblem.NOT_ALLOWED
        assert "123456782" not in refusal.value.message


def test_outside_a_practice_there_is_no_register() -> None:
    with pytest.raises(ModelFailed, match="outside a practice"):
        read_register()


def test_a_question_can_be_asked_for_a_client_of_the_practice(throwaway: Callable[[], KnownPractice]) -> None:
    known = throwaway()
    with in_practice(known.practice):
        client = add("One")
        question = Question.objects.create(text="Is it deductible?", client=client)
        assert list(client.questions.values_list("pk", flat=True)) == [question.pk]
