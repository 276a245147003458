#!/usr/bin/env node
// Replaces fpm, which electron-builder downloads: builds the same deb or rpm with Debian's own tools (dpkg-deb, rpmbuild).
// electron-builder calls the program that CUSTOM_FPM_PATH names. Compression is the fastest, since packages for tests are not kept.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const text = { type: 'string' };
const list = { type: 'string', multiple: true };
const { values, positionals } = parseArgs({
  options: {
    s: { ...text, short: 's' },
    t: { ...text, short: 't' },
    d: { ...list, short: 'd' },
    force: { type: 'boolean' },
    architecture: text,
    name: text,
    version: text,
    description: text,
    package: text,
    maintainer: text,
    vendor: text,
    url: text,
    license: text,
    category: text,
    'after-install': text,
    'after-remove': text,
    'deb-recommends': list,
    'deb-compression': text,
    'deb-priority': text,
    'rpm-os': text,
    'rpm-compression': text,
    'rpm-summary': text,
  },
  allowPositionals: true,
});

const work = mkdtempSync(join(tmpdir(), 'burrow-fpm-'));
const root = join(work, 'root');
try {
  for (const pair of positionals) copyInto(pair);
  execFileSync('chmod', ['-R', 'u+rwX,go+rX,go-w', root]);
  if (values.t === 'deb') buildDeb();
  else buildRpm();
} finally {
  rmSync(work, { recursive: true });
}

/** A pair is SOURCE=TARGET; a source with a slash at its end means what is in it. */
function copyInto(pair) {
  const split = pair.indexOf('=');
  const target = join(root, pair.slice(split + 1));
  mkdirSync(dirname(target), { recursive: true });
  cpSync(pair.slice(0, split), target, { recursive: true, verbatimSymlinks: true });
}

function script(name) {
  return readFileSync(values[name], 'utf8');
}

/** The description without the empty lines that neither format has. */
function describe(indent) {
  const lines = values.description.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .map((line) => indent + line)
    .join('\n');
}

function buildDeb() {
  const folder = join(root, 'DEBIAN');
  const size = execFileSync('du', ['-sk', '--apparent-size', root], { encoding: 'utf8' }).split('\t')[0];
  mkdirSync(folder);
  const fields = {
    Package: values.name,
    Version: values.version,
    Architecture: values.architecture,
    Maintainer: values.maintainer,
    'Installed-Size': size,
    Depends: values.d?.join(', '),
    Recommends: values['deb-recommends']?.join(', '),
    Section: values.category,
    Priority: values['deb-priority'],
    Homepage: values.url,
    Description: describe(' ').trimStart(),
  };
  const control = Object.entries(fields).filter(([, value]) => value !== undefined);
  writeFileSync(join(folder, 'control'), control.map(([key, value]) => `${key}: ${value}\n`).join(''));
  for (const [name, source] of [
    ['postinst', 'after-install'],
    ['postrm', 'after-remove'],
  ]) {
    writeFileSync(join(folder, name), script(source));
    chmodSync(join(folder, name), 0o755);
  }
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z1', '--build', root, values.package], {
    stdio: 'inherit',
  });
}

function buildRpm() {
  const files = execFileSync('find', [root, '!', '-type', 'd', '-printf', '/%P\n'], { encoding: 'utf8' });
  const doubled = (name) => script(name).replaceAll('%', '%%');
  const spec = `%define __os_install_post %{nil}
%define debug_package %{nil}
%define _build_id_links none
Name: ${values.name}
Version: ${values.version}
Release: 1
Summary: ${values['rpm-summary'] ?? values.name}
License: ${values.license}
URL: ${values.url}
Vendor: ${values.vendor}
Packager: ${values.maintainer}
Group: ${values.category}
AutoReqProv: no
${(values.d ?? []).map((name) => `Requires: ${name}\n`).join('')}
%description
${describe('')}

%post
${doubled('after-install')}
%postun
${doubled('after-remove')}
%files
%defattr(-,root,root,-)
${files.replaceAll('%', '%%').replaceAll(/^(.+)$/gm, '"$1"')}`;
  const file = join(work, 'p.spec');
  writeFileSync(file, spec);
  const machine = { amd64: 'x86_64', arm64: 'aarch64' }[values.architecture] ?? values.architecture;
  const defines = { _topdir: work, _rpmdir: join(work, 'out'), _binary_payload: 'w1.zstdio' };
  const settings = Object.entries(defines).flatMap(([key, value]) => ['--define', `${key} ${value}`]);
  const args = [
    '-bb',
    '--quiet',
    '--target',
    `${machine}-unknown-linux`,
    '--buildroot',
    root,
    ...settings,
    file,
  ];
  execFileSync('rpmbuild', args, { stdio: 'inherit' });
  const built = execFileSync('find', [join(work, 'out'), '-name', '*.rpm'], { encoding: 'utf8' }).trim();
  cpSync(built, values.package);
  if (statSync(values.package).size === 0) throw new Error('rpmbuild has built an empty package.');
}
