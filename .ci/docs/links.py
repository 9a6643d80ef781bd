#!/usr/bin/env python3
"""Reads a built site: each link within it leads to a file and an anchor, each page in Markdown is in the navigation or linked from another.

links.py SITE: prints a PASS or FAIL line for each page.
"""
import html.parser
import os
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """The anchors and the links of a page; links of the navigation, which are on every page, apart."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.images = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if found.get('id'):
            self.anchors.add(found['id'])
        if tag == 'a' and found.get('href'):
            self.links.append(found['href'])
        elif tag in ('img', 'script') and found.get('src'):
            self.links.append(found['src'])
        elif tag == 'link' and found.get('href'):
            self.links.append(found['href'])


def main(site):
    pages = {}
    for folder, _, files in os.walk(site):
        for name in files:
            path = os.path.join(folder, name)
            if name.endswith('.html') and name not in ('404.html', 'search.html'):
                with open(path, encoding='utf-8') as text:
                    pages[path] = Page(text.read())
    reached = set()
    for path, page in sorted(pages.items()):
        dead = []
        for link in page.links:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc:
                continue
            target = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(url.path))) if url.path else path
            if not os.path.isfile(target):
                dead.append(link)
            elif url.fragment and target in pages and url.fragment not in pages[target].anchors:
                dead.append(link)
            if target != path:
                reached.add(target)
        name = os.path.relpath(path, site)
        print(f'FAIL {name}: dead links {", ".join(dead)}' if dead else f'PASS {name}: {len(page.links)} links')
    for path in sorted(pages.keys() - reached):
        print(f'FAIL {os.path.relpath(path, site)}: no page leads to it')


main(sys.argv[1])
