"""A chat history as a transcript that judges and people can read."""


def render_history(value: object) -> str | None:
    """Return who said what, in order; None where the value is no list of messages.

    What was said is indented, so that nothing in it can pass for another message.
    """
    if not isinstance(value, list) or not value or not all(map(_is_message, value)):
        return None
    return "\n".join(
        line
        for message in value
        for line in (
            f"{message['role']}:",
            *(f"  {said}".rstrip() for said in message["content"].splitlines()),
        )
    )


def _is_message(value: object) -> bool:
    return (
        isinstance(value, dict)
        and value.keys() == {"role", "content"}
        and isinstance(value["content"], str)
        and isinstance(value["role"], str)
        and value["role"].isidentifier()
    )
