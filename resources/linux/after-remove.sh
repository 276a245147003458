#!/bin/sh
# After the package was removed, by dpkg (remove, purge) or rpm (0). At an upgrade both call it too, and all stays.
# The data of users lies in their home folders and is never touched.
set -e
case "${1:-}" in
  remove | purge | 0) ;;
  *) exit 0 ;;
esac

for name in burrow burrow-desktop; do
  if [ "$(readlink "/usr/bin/$name")" = "/opt/Burrow/$name" ]; then rm -f "/usr/bin/$name"; fi
done

profile=/etc/apparmor.d/burrow-desktop
if [ -f "$profile" ]; then
  if apparmor_status --enabled >/dev/null 2>&1 && ! { [ -x /usr/bin/ischroot ] && /usr/bin/ischroot; }; then
    apparmor_parser --remove "$profile" || true
  fi
  rm -f "$profile"
fi

if command -v update-mime-database >/dev/null; then update-mime-database /usr/share/mime || true; fi
if command -v update-desktop-database >/dev/null; then update-desktop-database /usr/share/applications || true; fi
