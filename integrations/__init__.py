"""Connections to other products (Xero, HubSpot): what comes in, what goes out, and the secrets that open doors."""
