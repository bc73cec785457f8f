"""Clients in the database: seen by their practice alone, and a tax file number opens in its own row alone."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError
from django.db import DatabaseError, IntegrityError, connection

from asat_site.secrets import CannotOpen
from asat_site.tenancy.context import in_practice
from asat_site.testing.practices import KnownPractice
from clients.models import Client, NotInAPractice

pytestmark = pytest.mark.security


def made(name: str, tfn: str = "") -> Client:
    client = Client(name=name)
    client.set_tfn(tfn)
    client.save()
    client.refresh_from_db()
    return client


def test_a_client_is_seen_by_its_practice_alone(practice: KnownPractice, other_practice: KnownPractice) -> None:
    with in_practice(practice.practice):
        client = made("Ours Alone Pty Ltd")
    with in_practice(other_practice.practice):
        assert not Client.objects.filter(pk=client.pk).exists()
        assert Client.objects.filter(pk=client.pk).update(name="Theirs") == 0
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT count(*) FROM {practice.practice.schema_name}.clients_client")
            assert cursor.fetchone() == (0,)
    assert Client.objects.model._meta.db_table == "clients_client"
    with in_practice(practice.practice):
        assert Client.objects.get(pk=client.pk).name == "Ours Alone Pty Ltd"


def test_a_client_cannot_be_deleted_by_the_app(practice: KnownPractice) -> None:
    with in_practice(practice.practice):
        client = made("Stays")
        with pytest.raises(DatabaseError, match="permission denied"):
            client.delete()
        assert Client.objects.filter(pk=client.pk).exists()


def test_a_tax_file_number_is_stored_sealed_and_opens_in_its_row_alone(
    practice: KnownPractice, other_practice: KnownPractice
) -> None:
    with in_practice(practice.practice):
        one, two = made("One", "123456782"), made("Two")
        assert (one.tfn(), two.tfn()) == ("123456782", "")
        assert "123456782" not in one.sealed_tfn
        two.sealed_tfn = one.sealed_tfn
        with pytest.raises(CannotOpen):
            two.tfn()
    with in_practice(other_practice.practice):
        copied = Client.objects.create(id=one.id, name="Copied", sealed_tfn=one.sealed_tfn)
        copied.refresh_from_db()
        with pytest.raises(CannotOpen):
            copied.tfn()


def test_wrong_check_digits_are_refused_and_nothing_is_written(practice: KnownPractice) -> None:
    with in_practice(practice.practice):
        name = f"Wrong {uuid4()}"
        with pytest.raises(ValidationError) as refusal:
            Client(name=name, abn="51 824 753 557", acn="004085617").full_clean()
        assert set(refusal.value.message_dict) == {"abn", "acn"}
        with pytest.raises(ValueError, match="This is no TFN"):
            Client(name=name).set_tfn("123456783")
        for wrong in ({"abn": "51 824 753 556"}, {"acn": "12"}):
            with pytest.raises((IntegrityError, DatabaseError)):
                Client.objects.create(name=name, **wrong)
        assert not Client.objects.filter(name=name).exists()
        right = Client(name=name, abn="51824753556", acn="004085616")
        right.full_clean()
        right.save()
        assert Client.objects.filter(name=name).values_list("abn", "acn").get() == ("51824753556", "004085616")


def test_without_a_practice_no_tax_file_number_is_sealed() -> None:
    with pytest.raises(NotInAPractice):
        Client(name="Nobody's").set_tfn("123456782")


def test_the_owner_sees_clients_in_the_administration_and_no_tax_file_number(practice: KnownPractice) -> None:
    with in_practice(practice.practice):
        client = made("Shown to the owner", "123456782")
    page = practice.client("owner").get(f"/admin/clients/client/{client.pk}/change/")
    assert page.status_code == 200
    assert "Shown to the owner" in page.content.decode()
    assert client.sealed_tfn not in page.content.decode()
    assert "123456782" not in page.content.decode()
    assert practice.client("staff").get(f"/admin/clients/client/{client.pk}/change/").status_code == 403
