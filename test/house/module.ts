import { posix } from 'node:path';
import ts from 'typescript';
import { parse as parseVue } from 'vue/compiler-sfc';

/** One import, re-export, dynamic import, require or import type. */
export interface Import {
  /** As written, without a query such as `?raw`. */
  readonly specifier: string;
  /** Only types: nothing of it is left when the code runs. */
  readonly typeOnly: boolean;
  /** Loaded once the code comes to it: `import('./app.ts')`. */
  readonly isDynamic: boolean;
  readonly names: readonly string[];
  readonly line: number;
  /** The file's path when the specifier is relative, else null. */
  readonly file: string | null;
  /** The npm package when the specifier names one, else null. */
  readonly packageName: string | null;
}

/** A parsed source file; of a .vue file its script blocks. */
export interface Module {
  readonly path: string;
  readonly imports: readonly Import[];
  /** Every node of the syntax tree with its line, from 1. */
  readonly nodes: readonly { readonly node: ts.Node; readonly line: number }[];
}

/** Parses a file by TypeScript's own parser; the path decides the dialect. */
export function parseModule(path: string, text: string): Module {
  const sources = path.endsWith('.vue') ? vueScripts(path, text) : [sourceFile(path, text)];
  const nodes = sources.flatMap((source) => allNodes(source));
  const imports = nodes.flatMap(({ node, line }) => {
    const found = readImport(node);
    return found === null ? [] : [{ ...found, line, ...target(path, found.specifier) }];
  });
  return { path, imports, nodes };
}

function sourceFile(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}

/** The script blocks, each after as many empty lines as stand before it, so that line numbers are the file's. */
function vueScripts(path: string, text: string): ts.SourceFile[] {
  const { script, scriptSetup } = parseVue(text, { filename: path, sourceMap: false }).descriptor;
  return [script, scriptSetup]
    .filter((block) => block !== null)
    .map((block) => sourceFile(`${path}.ts`, '\n'.repeat(block.loc.start.line - 1) + block.content));
}

function allNodes(source: ts.SourceFile): { node: ts.Node; line: number }[] {
  const nodes: { node: ts.Node; line: number }[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push({ node, line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1 });
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return nodes;
}

function readImport(node: ts.Node): Pick<Import, 'specifier' | 'typeOnly' | 'isDynamic' | 'names'> | null {
  if (ts.isImportDeclaration(node)) {
    const clause = node.importClause;
    return found(node.moduleSpecifier, clause?.isTypeOnly ?? false, importedNames(clause));
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
    const names =
      node.exportClause !== undefined && ts.isNamedExports(node.exportClause)
        ? node.exportClause.elements
            .filter((element) => !element.isTypeOnly)
            .map((element) => (element.propertyName ?? element.name).text)
        : [];
    return found(node.moduleSpecifier, node.isTypeOnly, names);
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return found(node.argument.literal, true, []);
  }
  if (ts.isCallExpression(node) && node.arguments.length > 0 && loadsModule(node.expression)) {
    return found(node.arguments[0]!, false, [], true);
  }
  return null;
}

function found(specifier: ts.Node, typeOnly: boolean, names: readonly string[], isDynamic = false) {
  if (!ts.isStringLiteralLike(specifier)) return null;
  return { specifier: specifier.text.replace(/\?.*$/, ''), typeOnly, isDynamic, names };
}

function importedNames(clause: ts.ImportClause | undefined): string[] {
  const bindings = clause?.namedBindings;
  const named =
    bindings !== undefined && ts.isNamedImports(bindings)
      ? bindings.elements.filter((element) => !element.isTypeOnly).map((e) => (e.propertyName ?? e.name).text)
      : [];
  return clause?.name === undefined ? named : ['default', ...named];
}

/** What loads a module that a call names, and `import.meta.resolve(…)`, which returns the location of one. */
function loadsModule(callee: ts.Expression): boolean {
  return (
    callee.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(callee) && callee.text === 'require') ||
    /^(import\.meta\.resolve|process\.getBuiltinModule)$/.test(callee.getText())
  );
}

function target(from: string, specifier: string): Pick<Import, 'file' | 'packageName'> {
  if (specifier.startsWith('.')) {
    return { file: posix.join(posix.dirname(from), specifier), packageName: null };
  }
  const isPackage = /^(@[\w.-]+\/)?[\w.-]+(\/|$)/.test(specifier) && !specifier.startsWith('node:');
  const packageName = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  return { file: null, packageName: isPackage ? packageName : null };
}

/** The title that a call of `test`, `it` or `describe` gives, also behind `.each(…)`; empty for any other node. */
export function titleOf(node: ts.Node): string {
  if (!ts.isCallExpression(node) || !/^(describe|test|it)$/.test(rootOf(node.expression))) return '';
  const title = node.arguments[0];
  if (title === undefined) return '';
  if (ts.isTemplateExpression(title))
    return [title.head, ...title.templateSpans.map(({ literal }) => literal)]
      .map(({ text }) => text)
      .join('…');
  return ts.isStringLiteralLike(title) ? title.text : '';
}

function rootOf(callee: ts.Expression): string {
  if (ts.isIdentifier(callee)) return callee.text;
  if (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee)) return rootOf(callee.expression);
  return '';
}
