"""The connection speaks as exactly one practice and user, or as none, whatever happened on it before."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID, uuid4

import psycopg
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection, connections, transaction

from asat_site.accounts.models import User
from asat_site.tenancy.context import NoSuchPractice, current_practice_id, in_practice, practice_connection
from asat_site.testing.practices import KnownPractice

pytestmark = pytest.mark.security

NOBODY = ('"public", pg_temp', "", "")


def told() -> tuple[str, str, str]:
    """What the server has been told, as a query sees it."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('search_path'), coalesce(current_setting('asat.practice_id', true), ''),"
            " coalesce(current_setting('asat.user_id', true), '')"
        )
        return tuple(cursor.fetchone())


def told_raw() -> tuple[str, str, str]:
    """The same, asked behind the wrapper's back, which sets nothing first."""
    with connection.connection.cursor() as cursor:
        return tuple(
            cursor.execute(
                "SELECT current_setting('search_path'), coalesce(current_setting('asat.practice_id', true), ''),"
                " coalesce(current_setting('asat.user_id', true), '')"
            ).fetchone()
        )


def expected(known: KnownPractice, user: UUID | str = "") -> tuple[str, str, str]:
    return (f'"{known.practice.schema_name}", "public", pg_temp', str(known.id), str(user))


def emails() -> set[str]:
    return set(User.objects.values_list("email", flat=True))


def test_a_practice_sees_its_own_users_and_no_others(practice: KnownPractice, other_practice: KnownPractice) -> None:
    with in_practice(practice.practice):
        assert emails() == {user.email for user in practice.users.values()}
    with in_practice(other_practice.practice):
        assert emails() == {user.email for user in other_practice.users.values()}
    assert told() == NOBODY


def test_path_practice_and_user_are_set_and_cleared_together(practice: KnownPractice) -> None:
    user = practice.users["staff"].pk
    with in_practice(practice.id, user):
        assert told() == expected(practice, user)
    assert told_raw() == NOBODY  # on the server too, before any next query


def test_a_user_named_or_changed_later_is_told_at_once(practice: KnownPractice) -> None:
    # As in a request: the practice first, a query for the session, and only then the user.
    with in_practice(practice.practice):
        assert told() == expected(practice)
        for role in ("staff", "owner"):
            practice_connection().set_user(practice.users[role].pk)
            assert told() == expected(practice, practice.users[role].pk)
        practice_connection().set_user(None)
        assert told() == expected(practice)


def test_a_practice_is_left_after_an_error(practice: KnownPractice) -> None:
    with pytest.raises(ZeroDivisionError), in_practice(practice.practice):
        told()
        raise ZeroDivisionError
    assert told_raw() == NOBODY
    assert current_practice_id() is None


def test_practices_nest_and_the_outer_one_returns_with_its_user(
    practice: KnownPractice, other_practice: KnownPractice
) -> None:
    user = practice.users["owner"].pk
    with in_practice(practice.practice, user):
        with in_practice(other_practice.practice.schema_name):
            assert told() == expected(other_practice)
        assert told() == expected(practice, user)
    assert told() == NOBODY


@pytest.mark.parametrize("key", [str(UUID(int=7)), UUID(int=7), "p_nobody", "public; DROP SCHEMA public", ""])
def test_an_unknown_practice_is_refused_and_nothing_is_entered(services: object, key: str | UUID) -> None:
    with pytest.raises(NoSuchPractice), in_practice(key):
        pytest.fail("entered")
    assert told() == NOBODY


def test_a_user_without_a_practice_is_refused(services: object) -> None:
    with pytest.raises(ImproperlyConfigured):
        practice_connection().set_user(uuid4())
    assert told() == NOBODY


def test_one_statement_sets_everything_and_only_when_it_changes(practice: KnownPractice) -> None:
    with in_practice(practice.practice):
        told()
        sent: list[str] = []

        def watch(execute: object, sql: str, *rest: object) -> object:
            sent.append(sql)
            return execute(sql, *rest)  # type: ignore[operator]

        with connection.execute_wrapper(watch):
            told()
            told()
        assert len(sent) == 2  # the two questions, and no setting between them
        assert practice_connection().search_path_set_schemas == expected(practice)


# The traps: each of these once left a connection speaking for the wrong practice.


def test_a_setting_that_was_reset_reads_empty_and_counts_as_no_practice(practice: KnownPractice) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('asat.practice_id', %s, false)", [str(practice.id)])
        cursor.execute("RESET asat.practice_id")
        cursor.execute("SELECT current_setting('asat.practice_id', true), asat.practice_id()")
        setting, practice_id = cursor.fetchone()
        assert setting in ("", None)
        assert practice_id is None
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL asat.practice_id = ''")
        cursor.execute("SELECT asat.practice_id(), asat.user_id(), asat.is_platform()")
        assert cursor.fetchone() == (None, None, False)
        cursor.execute(f"SELECT count(*) FROM {practice.practice.schema_name}.accounts_user")
        assert cursor.fetchone() == (0,)


def test_a_rollback_that_undoes_the_settings_is_noticed(practice: KnownPractice, other_practice: KnownPractice) -> None:
    with in_practice(practice.practice):
        told()
    with in_practice(other_practice.practice):
        with pytest.raises(ZeroDivisionError), transaction.atomic():
            assert emails() == {user.email for user in other_practice.users.values()}
            raise ZeroDivisionError
        assert told() == expected(other_practice)
        assert emails() == {user.email for user in other_practice.users.values()}


def test_a_rollback_to_a_savepoint_that_undoes_the_settings_is_noticed(
    practice: KnownPractice, other_practice: KnownPractice
) -> None:
    with in_practice(practice.practice), transaction.atomic():
        told()
        with pytest.raises(ZeroDivisionError), transaction.atomic(), in_practice(other_practice.practice):
            assert told() == expected(other_practice)
            raise ZeroDivisionError
        assert told() == expected(practice)
        with in_practice(other_practice.practice):
            assert told() == expected(other_practice)
            with pytest.raises(ZeroDivisionError), transaction.atomic():
                raise ZeroDivisionError
            assert told() == expected(other_practice)
        assert emails() == {user.email for user in practice.users.values()}


def test_a_practice_entered_in_a_savepoint_and_rolled_back_outside_it_is_noticed(
    practice: KnownPractice, other_practice: KnownPractice
) -> None:
    with in_practice(practice.practice):
        with transaction.atomic():
            told()
            sid = transaction.savepoint()
            practice_connection().set_tenant(other_practice.practice)
            assert told() == expected(other_practice)
            transaction.savepoint_rollback(sid)  # the server is back at the first, the wrapper still wants the second
            assert told_raw()[1] == str(practice.id)
            assert told() == expected(other_practice)
        assert told() == expected(other_practice)


def test_a_commit_of_a_failed_transaction_is_a_rollback_and_is_noticed(practice: KnownPractice) -> None:
    assert told() == NOBODY
    with in_practice(practice.practice):
        wrapper = practice_connection()
        wrapper.set_autocommit(False)
        try:
            assert told() == expected(practice)
            with pytest.raises(psycopg.Error):
                wrapper.connection.execute("SELECT 1 / 0")  # Django is not told of this
            wrapper.commit()  # no error; PostgreSQL rolled back
            assert told_raw()[1] == ""
            assert told() == expected(practice)
        finally:
            wrapper.rollback()
            wrapper.set_autocommit(True)


@pytest.mark.parametrize("broken", [False, True])
def test_a_transaction_left_open_by_hand_is_not_inherited(practice: KnownPractice, broken: bool) -> None:
    with in_practice(practice.practice):
        connection.set_autocommit(False)
        told()
        if broken:
            with pytest.raises(DatabaseError), connection.cursor() as cursor:
                cursor.execute("SELECT 1 / 0")
    assert told() == NOBODY
    assert connection.get_autocommit()


def test_a_practice_entered_while_the_transaction_is_failed_is_set_after_it(practice: KnownPractice) -> None:
    told()
    with pytest.raises(DatabaseError), transaction.atomic():
        with pytest.raises(DatabaseError), connection.cursor() as cursor:
            cursor.execute("SELECT 1 / 0")
        with in_practice(practice.practice):
            emails()
    with in_practice(practice.practice):
        assert told() == expected(practice)


def test_a_setting_local_to_a_transaction_does_not_outlive_it(practice: KnownPractice) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('asat.practice_id', %s, true)", [str(practice.id)])
    assert told() == NOBODY
    assert told_raw() == NOBODY


def test_a_new_connection_starts_with_no_practice_and_gets_the_one_in_force(practice: KnownPractice) -> None:
    with in_practice(practice.practice):
        told()
        connection.close()
        assert told() == expected(practice)
        assert len(emails()) == 4
    connection.close()
    assert told() == NOBODY


def test_a_new_thread_starts_in_public_with_neither_practice_nor_user(practice: KnownPractice) -> None:
    found: list[object] = []

    def look() -> None:
        try:
            with connection.cursor() as cursor:
                cursor.execute(f"SELECT count(*) FROM {practice.practice.schema_name}.accounts_user")
                found.extend([told(), cursor.fetchone()])
        finally:
            connections.close_all()

    with in_practice(practice.practice, practice.users["staff"].pk):
        assert len(emails()) == 4
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    assert found == [NOBODY, (0,)]


def test_threads_that_reuse_connections_never_see_the_other_practice(
    practice: KnownPractice, other_practice: KnownPractice
) -> None:
    wanted = {known.id: {user.email for user in known.users.values()} for known in (practice, other_practice)}

    def look(turn: int) -> bool:
        known = (practice, other_practice)[turn % 2]
        with in_practice(known.practice):
            right = emails() == wanted[known.id] and told() == expected(known)
            if turn % 3 == 0:
                try:
                    with transaction.atomic():
                        right = right and emails() == wanted[known.id]
                        raise ZeroDivisionError
                except ZeroDivisionError:
                    right = right and emails() == wanted[known.id]
        return right and (turn % 5 != 0 or told() == NOBODY)

    everyone = threading.Barrier(4)

    def close(_: int) -> None:
        everyone.wait(10)  # so that each thread closes its own
        connections.close_all()

    with ThreadPoolExecutor(max_workers=4) as pool:
        assert list(pool.map(look, range(400))) == [True] * 400
        list(pool.map(close, range(4)))


@pytest.fixture
def pooled(services: object) -> object:
    """The default connection with psycopg's pool of one, as the web server has it with more."""
    wrapper = practice_connection()
    wrapper.close()
    options, age = wrapper.settings_dict["OPTIONS"], wrapper.settings_dict["CONN_MAX_AGE"]
    wrapper.settings_dict["OPTIONS"] = {**options, "pool": {"min_size": 1, "max_size": 1, "timeout": 5}}
    wrapper.settings_dict["CONN_MAX_AGE"] = 0
    yield wrapper
    wrapper.close()
    wrapper.close_pool()
    wrapper.settings_dict["OPTIONS"], wrapper.settings_dict["CONN_MAX_AGE"] = options, age


@pytest.mark.parametrize("in_transaction", [False, True])
def test_a_pooled_connection_goes_back_without_practice_or_user(
    practice: KnownPractice, pooled: object, in_transaction: bool
) -> None:
    wrapper = practice_connection()
    with in_practice(practice.practice, practice.users["staff"].pk):
        if in_transaction:
            wrapper.set_autocommit(False)
        backend = wrapper.connection.info.backend_pid if wrapper.connection else None
        assert told() == expected(practice, practice.users["staff"].pk)
        backend = wrapper.connection.info.backend_pid
        pool = wrapper.pool
        wrapper.close()
    with pool.connection() as raw:
        assert raw.info.backend_pid == backend  # the very same session
        found = raw.execute(
            "SELECT current_setting('search_path'), current_setting('asat.practice_id', true),"
            " current_setting('asat.user_id', true)"
        ).fetchone()
    assert found == ("public, pg_temp", "", "")


def test_a_temporary_table_cannot_stand_in_for_a_real_one(practice: KnownPractice) -> None:
    with in_practice(practice.practice), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE accounts_user (email text)")
        cursor.execute("SELECT count(*) FROM accounts_user")
        assert cursor.fetchone() == (4,)
        transaction.set_rollback(True)
