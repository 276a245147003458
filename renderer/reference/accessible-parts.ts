type Props = Readonly<Record<string, unknown>>;
type Part = (props: Props) => unknown;
type Wrap = (Original: Part, system: System) => Part;

/** What Swagger UI gives to a plugin, as far as it is used here. */
interface System {
  React: { createElement(type: unknown, props: object | null, ...children: unknown[]): unknown };
}

/** A plugin of Swagger UI with what assistive technology needs of its parts, for which it has no options. */
export const accessibleParts = {
  wrapComponents: {
    // Operations are in its `main`, everything else in no landmark.
    InfoContainer: within({ role: 'banner' }),
    AuthorizeBtnContainer: within({ role: 'region', 'aria-label': 'Authorization' }),
    FilterContainer: within({ role: 'search' }),
    // Tags have headings of the third level, the page one of the first.
    operations: after('h2', () => 'Operations'),
    DeepLink: withoutLinkInButton,
    JsonSchema_boolean: named(({ description }) => String(description ?? 'Value')),
    JsonSchema_string: named(({ description }) => String(description ?? 'Value')),
    ExamplesSelect: named(() => 'Example'),
  },
};

function within(attributes: object): Wrap {
  return (Original, { React }) =>
    (props) =>
      React.createElement('div', attributes, React.createElement(Original, props));
}

/** A part with words before it, which are read only. */
function after(element: string, wordsOf: (props: Props) => string, around = 'div'): Wrap {
  return (Original, { React }) =>
    (props) =>
      React.createElement(
        around,
        { className: 'with-words' },
        React.createElement(element, { className: 'words' }, wordsOf(props)),
        React.createElement(Original, props),
      );
}

function named(nameOf: (props: Props) => string): Wrap {
  return after('span', nameOf, 'label');
}

/** The path of an operation is in a button, which opens it and writes its address. */
function withoutLinkInButton(Original: Part, { React }: System): Part {
  return (props) =>
    String(props['path']).includes('/')
      ? React.createElement('span', null, props['text'])
      : React.createElement(Original, props);
}
