#!/usr/bin/env python3
"""Shows a page in headless Chromium over its debugging pipe: any width, light or dark, with or without script.

browse.py BROWSER URL [--width N] [--height N] [--dark] [--no-script] [--wait SECONDS] [--picture FILE] [--value EXPRESSION]...
Prints the value of each expression on a line of its own; expressions also run where the page's own script does not.
"""
import argparse, base64, json, os, shutil, subprocess, sys, tempfile, time

FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-dev-shm-usage', '--no-first-run', '--hide-scrollbars',
         '--disable-background-networking', '--disable-component-update', '--disable-sync', '--remote-debugging-pipe']


class Browser:
    """A browser whose messages end with a zero octet, on descriptors 3 (in) and 4 (out)."""

    def __init__(self, program, folder):
        to_read, self.to_browser = os.pipe()
        self.from_browser, to_write = os.pipe()

        def place():
            # Out of the way first: one of them may be 3 or 4 already.
            reader, writer = os.dup(to_read), os.dup(to_write)
            while reader in (3, 4): reader = os.dup(reader)
            while writer in (3, 4): writer = os.dup(writer)
            os.dup2(reader, 3)
            os.dup2(writer, 4)
        self.process = subprocess.Popen([program, *FLAGS, '--user-data-dir=' + folder, 'about:blank'], preexec_fn=place, close_fds=False,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.number, self.session, self.rest, self.events = 0, None, b'', []

    def receive(self):
        while b'\0' not in self.rest:
            octets = os.read(self.from_browser, 1 << 16)
            if not octets: sys.exit('the browser ended')
            self.rest += octets
        message, self.rest = self.rest.split(b'\0', 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': parameters}
        if self.session: message['sessionId'] = self.session
        os.write(self.to_browser, json.dumps(message).encode() + b'\0')
        while True:
            answer = self.receive()
            if answer.get('id') != self.number:
                self.events.append(answer.get('method'))
                continue
            if 'error' in answer: sys.exit(f'{method}: {answer["error"]["message"]}')
            return answer['result']

    def wait_for(self, event):
        while event not in self.events: self.events.append(self.receive().get('method'))


def show(browser, options):
    target = browser.call('Target.createTarget', url='about:blank')['targetId']
    browser.session = browser.call('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
    browser.call('Page.enable')
    browser.call('Emulation.setDeviceMetricsOverride', width=options.width, height=options.height, deviceScaleFactor=1, mobile=False)
    browser.call('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': 'dark' if options.dark else 'light'}])
    browser.call('Emulation.setScriptExecutionDisabled', value=options.no_script)
    browser.call('Page.navigate', url=options.url)
    browser.wait_for('Page.loadEventFired')
    time.sleep(options.wait)
    for expression in options.value:
        result = browser.call('Runtime.evaluate', expression=expression, returnByValue=True, awaitPromise=True)
        print(result['result'].get('value', result.get('exceptionDetails', {}).get('exception', {}).get('description')))
    if options.picture:
        picture = browser.call('Page.captureScreenshot', format='png')
        with open(options.picture, 'wb') as file: file.write(base64.b64decode(picture['data']))


parser = argparse.ArgumentParser()
parser.add_argument('browser')
parser.add_argument('url')
parser.add_argument('--width', type=int, default=1000)
parser.add_argument('--height', type=int, default=1500)
parser.add_argument('--dark', action='store_true')
parser.add_argument('--no-script', action='store_true')
parser.add_argument('--wait', type=float, default=0)
parser.add_argument('--picture')
parser.add_argument('--value', action='append', default=[])
options = parser.parse_args()
folder = tempfile.mkdtemp()
browser = Browser(options.browser, folder)
try:
    show(browser, options)
finally:
    browser.process.kill()
    browser.process.wait()
    shutil.rmtree(folder, ignore_errors=True)
