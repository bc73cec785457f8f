"""What a practice keeps of its clients: the register, their documents, and what was approved of these."""

from clients.models.base import NotInAPractice, PracticeOwned
from clients.models.documents import Approval, Document, DocumentFile, DocumentPage, FieldDecision, Transaction
from clients.models.register import (
    Assignment,
    BasCycle,
    Client,
    ClientEvent,
    ClientImport,
    Contact,
    EntityType,
    Merge,
    Note,
    Restriction,
)

__all__ = [
    "Approval",
    "Assignment",
    "BasCycle",
    "Client",
    "ClientEvent",
    "ClientImport",
    "Contact",
    "Document",
    "DocumentFile",
    "DocumentPage",
    "EntityType",
    "FieldDecision",
    "Merge",
    "NotInAPractice",
    "Note",
    "PracticeOwned",
    "Restriction",
    "Transaction",
]
