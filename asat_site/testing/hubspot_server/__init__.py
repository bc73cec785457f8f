"""HubSpot's two read calls on loopback, over real HTTP, with an account of any size that misbehaves on request.

    with hubspot_server(companies=[company(1, "Example Pty Ltd", abn="51 824 753 556")]) as hubspot:
        settings.ASAT_HUBSPOT_URL = hubspot.url
        hubspot.will(None, None, Fault(status=429, headers={"Retry-After": "0"}))   # the third request from now
        hubspot.tokens[TOKEN] = ("crm.objects.companies.read",)                     # what a key may do
        hubspot.requests[-1].query["after"]                                         # what was asked

Every request but those of faults, and every answer of the server's own, can be held to the description of the interface
that HUBSPOT_DESCRIPTION names, or that lies beside the repository: `Contract.find()`, and give it to the server.
"""

from asat_site.testing.hubspot_server.account import ABN_PROPERTY, ALL_SCOPES, TOKEN, HubSpotAccount, company
from asat_site.testing.hubspot_server.contract import Contract
from asat_site.testing.hubspot_server.faults import Fault, Received
from asat_site.testing.hubspot_server.serving import hubspot_server

__all__ = [
    "ABN_PROPERTY",
    "ALL_SCOPES",
    "TOKEN",
    "Contract",
    "Fault",
    "HubSpotAccount",
    "Received",
    "company",
    "hubspot_server",
]
