"""What the site needs beside mkdocs: anchors as in the repository, links that lead out of docs/ as plain text, and a search for readers
of the documentation, not for records of decisions and measurements."""
import json
import os
import re

LINK = re.compile(r'(?<!`)\[([^\]\n]*)\]\(([^)\s]+)\)')
RECORDS = ('explanation/decisions/0', 'explanation/performance/')


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


def on_post_build(config):
    path = os.path.join(config['site_dir'], 'search', 'search_index.json')
    with open(path, encoding='utf-8') as text:
        index = json.load(text)
    index['docs'] = [entry for entry in index['docs'] if not entry['location'].startswith(RECORDS)]
    with open(path, 'w', encoding='utf-8') as text:
        json.dump(index, text, sort_keys=True, separators=(',', ':'))
