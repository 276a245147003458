"""The part of a desktop that shows tray icons and notifications, on a session bus, for tests of the desktop app.

Prints a line of JSON for what the app does; reads a command per line: `menu`, `icon`, or `click` and
the label of an item.
"""
import json
import sys

import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

WATCHER = 'org.kde.StatusNotifierWatcher'
ITEM = 'org.kde.StatusNotifierItem'
NOTIFICATIONS = 'org.freedesktop.Notifications'
PROPERTIES = 'org.freedesktop.DBus.Properties'
MENU = 'com.canonical.dbusmenu'

DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()
items = []


def say(**fields):
    print(json.dumps(fields, default=str), flush=True)


class Watcher(dbus.service.Object):
    """Where apps register their icons."""

    @dbus.service.method(WATCHER, in_signature='s', sender_keyword='sender')
    def RegisterStatusNotifierItem(self, service, sender=None):
        items.append((sender, service) if service.startswith('/') else (service, '/StatusNotifierItem'))
        say(registered=True)

    @dbus.service.method(PROPERTIES, in_signature='ss', out_signature='v')
    def Get(self, interface, name):
        return {'IsStatusNotifierHostRegistered': True, 'ProtocolVersion': dbus.Int32(0)}[name]


class Notifications(dbus.service.Object):
    """Shows notifications, which here means to print them."""

    count = 0

    @dbus.service.method(NOTIFICATIONS, in_signature='susssasa{sv}i', out_signature='u')
    def Notify(self, app, replaces, icon, title, body, actions, hints, timeout):
        self.count += 1
        say(notification=title, body=body)
        return self.count

    @dbus.service.method(NOTIFICATIONS, out_signature='as')
    def GetCapabilities(self):
        return ['body', 'actions']

    @dbus.service.method(NOTIFICATIONS, out_signature='ssss')
    def GetServerInformation(self):
        return ('burrow-test', 'burrow', '1', '1.2')

    @dbus.service.method(NOTIFICATIONS, in_signature='u')
    def CloseNotification(self, number):
        pass


def tree(node):
    number, fields, children = node
    return {
        'id': int(number),
        'label': str(fields.get('label', '')).replace('_', ''),
        'enabled': bool(fields.get('enabled', True)),
        'checked': int(fields.get('toggle-state', -1)) == 1,
        'children': [tree(child) for child in children],
    }


def find(node, label):
    if node['label'] == label:
        return node['id']
    return next((found for child in node['children'] if (found := find(child, label)) is not None), None)


def color(pixels):
    """The mean red, green and blue of what is not transparent; None for a picture without any of it."""
    seen = [pixels[at:at + 4] for at in range(0, len(pixels), 4) if pixels[at] > 127]
    return [sum(int(pixel[part]) for pixel in seen) // len(seen) for part in (1, 2, 3)] if seen else None


def run(command, argument):
    owner, path = items[-1]
    if command == 'icon':
        pictures = bus.get_object(owner, path).Get(ITEM, 'IconPixmap', dbus_interface=PROPERTIES)
        width, _, pixels = max(pictures, key=lambda picture: picture[0])
        return say(icon={'width': int(width), 'color': color(pixels)})
    place = bus.get_object(owner, path).Get(ITEM, 'Menu', dbus_interface=PROPERTIES)
    menu = dbus.Interface(bus.get_object(owner, place), MENU)
    shown = tree(menu.GetLayout(0, -1, dbus.Array([], signature='s'))[1])
    if command == 'menu':
        say(menu=shown)
    elif (number := find(shown, argument)) is None:
        say(error=f'There is no item {argument}')
    else:
        menu.Event(number, 'clicked', dbus.Int32(0, variant_level=1), dbus.UInt32(0), ignore_reply=True)
        say(clicked=argument)


def read(*_):
    line = sys.stdin.readline()
    if line:
        try:
            run(*line.rstrip('\n').partition(' ')[::2])
        except Exception as error:  # The test shows what was wrong.
            say(error=str(error))
    return bool(line)


names = [dbus.service.BusName(name, bus) for name in (WATCHER, NOTIFICATIONS) if name not in sys.argv[1:]]
objects = [Watcher(bus, '/StatusNotifierWatcher'), Notifications(bus, '/org/freedesktop/Notifications')]
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, read)
say(up=True)
GLib.MainLoop().run()
