"""What the site needs beside mkdocs: anchors as in the repository, and links that lead out of docs/ as plain text."""
import os
import re

LINK = re.compile(r'(?<!`)\[([^\]\n]*)\]\(([^)\s]+)\)')


def slug(heading, separator):
    """The anchor that the repository gives a heading: no punctuation, one hyphen for each blank."""
    return re.sub(r'[^\w\- ]', '', heading.strip().lower()).replace(' ', separator)


def on_config(config):
    config['mdx_configs'].setdefault('toc', {})['slugify'] = slug
    return config


def on_page_markdown(markdown, page, config, files):
    folder = os.path.dirname(page.file.src_path)

    def plain(match):
        text, target = match.groups()
        path = os.path.normpath(os.path.join(folder, target.split('#')[0]))
        return text if path.startswith('..') else match.group(0)

    return LINK.sub(plain, markdown)
