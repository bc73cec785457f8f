"""The contact that a supplier is: found by its name, or made. Once known, by its id alone.

Names are compared as Xero compares them, and two that are alike are a person's to tell apart. An archived contact is
nobody's to restore but a person's in Xero.
"""

from __future__ import annotations

from functools import partial

from integrations.models import XeroContact, XeroOrganisation, XeroPush
from integrations.terms import TryLater, VendorFailed
from integrations.xero import access, judging, mapping, words
from integrations.xero.api import Books
from integrations.xero.mapping import ApprovedBill, FoundContact
from integrations.xero.problems import NotThere, QueryNotUnderstood, Refused

MOST_MERGES = 3


def resolve(organisation: XeroOrganisation, push: XeroPush, bill: ApprovedBill) -> str:
    """The contact's id. Raises VendorFailed, with what a person is to do where that is for a person."""
    key = mapping.name_key(bill.supplier)
    known = XeroContact.objects.filter(tenant_id=organisation.tenant_id, name_key=key).first()
    if known is not None:
        return known.contact_id
    name = mapping.contact_name(bill.supplier)
    found = _found(organisation, name)
    if found is None:
        found = _made(organisation, name, bill.abn, f"contact-{push.pk}-{push.attempt}")
    XeroContact.objects.update_or_create(
        tenant_id=organisation.tenant_id,
        name_key=key,
        defaults={"client_id": organisation.client_id, "contact_id": found.contact_id},
    )
    return found.contact_id


def forget(organisation: XeroOrganisation, contact_id: str) -> None:
    """Look for this contact anew the next time: it was archived, merged or removed in Xero."""
    XeroContact.objects.filter(tenant_id=organisation.tenant_id, contact_id=contact_id).delete()


def _found(organisation: XeroOrganisation, name: str) -> FoundContact | None:
    """The one active contact of this name; None for none at all. Raises VendorFailed where a person must choose."""
    try:
        seen = access.with_books(organisation, lambda books: books.contacts_named(name))
    except QueryNotUnderstood:
        seen = access.with_books(organisation, lambda books: books.contacts_like(name))
    key = mapping.name_key(name)
    same = [each for each in seen if mapping.name_key(each.name) == key]
    active = [each for each in same if not each.is_archived]
    if len(active) > 1:
        raise VendorFailed(words.SEVERAL.format(name=name))
    if active:
        return active[0]
    merged = {each.merged_to for each in same if each.merged_to}
    if len(merged) == 1:
        return _merged_into(organisation, merged.pop(), name)
    if same:
        raise VendorFailed(words.ARCHIVED.format(name=name))
    return None


def _merged_into(organisation: XeroOrganisation, contact_id: str, name: str) -> FoundContact:
    for _ in range(MOST_MERGES):
        try:
            found = access.with_books(organisation, partial(_contact, contact_id))
        except NotThere:
            break
        if found is None:
            break
        if not found.is_archived:
            return found
        if not found.merged_to:
            break
        contact_id = found.merged_to
    raise VendorFailed(words.ARCHIVED.format(name=name))


def _contact(contact_id: str, books: Books) -> FoundContact | None:
    return books.contact(contact_id)


def _made(organisation: XeroOrganisation, name: str, abn: str, key: str) -> FoundContact:
    """The contact, made; where another was quicker, theirs."""
    try:
        made = access.with_books(organisation, lambda books: books.make_contact(name, abn, key))
    except Refused as refused:
        found = _found(organisation, name)
        if found is None:
            raise VendorFailed(words.said(refused.messages)) from None
        return found
    if made is None:
        raise TryLater(judging.UNREADABLE)
    return made
