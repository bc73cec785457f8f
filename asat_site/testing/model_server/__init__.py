"""A provider of language models on loopback, over real HTTP, that speaks three protocols and misbehaves on request.

    with model_server() as server:
        server.will_say({"quotes": []})                 # the next reply; a str is said as it stands
        server.will_fail(429, retry_after="1")          # the one after: an HTTP status
        server.will(Trouble.CUT_STREAM)                 # and then something worse
        server.answers_with(lambda body: {...})         # every reply that nothing above was set for
        server.address("openai_compatible")             # what an adapter takes for its base URL
        server.requests[-1].body["messages"]            # what was asked, headers and all

Protocols by the path asked: "/v1/chat/completions" is openai_compatible (and aggregator), "/v1/messages" anthropic,
"/api/chat" ollama. With nothing set, a reply is the least that satisfies the schema that was sent.
"""

from asat_site.testing.model_server.script import ModelServer, Received, Trouble
from asat_site.testing.model_server.serving import model_server

__all__ = ["ModelServer", "Received", "Trouble", "model_server"]
