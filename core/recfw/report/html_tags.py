"""Elements of an HTML page; words are escaped when the page is written, so none can become markup."""

from xml.etree.ElementTree import Element, tostring


def tag(name: str, *content: "str | Element", **attributes: str) -> Element:
    """
    Return an element.

    Args:
        name: Of the element.
        content: Words and elements in order; words as they are, not escaped.
        attributes: ``class_`` is written ``class``, ``aria_label`` as ``aria-label``; empty ones are left out.
    """
    made = Element(name, {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items() if value})
    last: Element | None = None
    for part in content:
        if isinstance(part, Element):
            made.append(part)
            last = part
        elif last is None:
            made.text = (made.text or "") + part
        else:
            last.tail = (last.tail or "") + part
    return made


def lines(*elements: Element) -> list[Element]:
    """Return elements, each on a line of its own in the page's source."""
    for element in elements:
        element.tail = "\n"
    return list(elements)


def written(root: Element) -> str:
    """
    Return the page's text.

    It is ASCII, with all other characters by number, so no server's or mail's idea of the encoding can garble it.
    """
    page: bytes = tostring(root, encoding="us-ascii", method="html")
    return f"<!DOCTYPE html>\n{page.decode('ascii')}\n"
