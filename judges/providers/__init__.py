"""Model endpoints behind one signature: `complete(Request) -> Completion`.

`ScriptedProvider` is the public test double.
"""

from judges.providers.base import Completion, Message, Provider, Request, Stop
from judges.providers.scripted import ScriptedProvider

__all__ = ["Completion", "Message", "Provider", "Request", "ScriptedProvider", "Stop"]
