#!/bin/sh
# After the package was unpacked, the first time and at each upgrade, by dpkg and by rpm.
set -e
folder=/opt/Burrow

# Where namespaces are forbidden to users this program builds the sandbox. A test whether they are would pass as root.
chown root:root "$folder/chrome-sandbox"
chmod 4755 "$folder/chrome-sandbox"

# Another program of the name keeps it: Debian's package "burrow" is one.
for name in burrow burrow-desktop; do
  link=/usr/bin/$name
  if [ -e "$link" ] && [ "$(readlink "$link")" != "$folder/$name" ]; then
    echo "$link belongs to another program and stays; Burrow's is $folder/$name."
  else
    ln -sfn "$folder/$name" "$link"
  fi
done

if command -v update-mime-database >/dev/null; then update-mime-database /usr/share/mime || true; fi
if command -v update-desktop-database >/dev/null; then update-desktop-database /usr/share/applications || true; fi

# Ubuntu 24.04 and later allow namespaces to programs with a profile only. Older releases do not read this one, and need none.
profile=/etc/apparmor.d/burrow-desktop
if apparmor_status --enabled >/dev/null 2>&1; then
  if apparmor_parser --skip-kernel-load --debug "$folder/resources/apparmor-profile" >/dev/null 2>&1; then
    cp -f "$folder/resources/apparmor-profile" "$profile"
    if ! { [ -x /usr/bin/ischroot ] && /usr/bin/ischroot; }; then
      apparmor_parser --replace --write-cache --skip-read-cache "$profile" || true
    fi
  fi
fi
