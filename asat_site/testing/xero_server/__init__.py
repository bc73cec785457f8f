"""A Xero on loopback, over real HTTP: its sign-in, its list of connections and the books of organisations.

    with xero_server(Contract.find()) as xero:
        books = xero.organisation("Example Plumbing Pty Ltd")
        books.contact("Example Parts Co", archived=True)
        back = xero.consents(address, to=[books])        # what its page would send the browser to
        xero.will(Fault(429, headers={"Retry-After": "7"}), on="PUT /Invoices")
        xero.will(Fault(unheard=True), on="PUT /Invoices")   # done, and nobody hears of it
        books.bills, xero.requests, xero.clock += 600

With a contract every exchange is held to the official descriptions of the interface; what breaks one fails the block.
Nothing but GET and PUT is taken for the books, nothing but drafts, and what breaks that fails the block too.
"""

from asat_site.testing.xero_server.contract import Contract
from asat_site.testing.xero_server.faults import Fault, Received
from asat_site.testing.xero_server.organisation import Organisation
from asat_site.testing.xero_server.serving import xero_server
from asat_site.testing.xero_server.world import Xero

__all__ = ["Contract", "Fault", "Organisation", "Received", "Xero", "xero_server"]
