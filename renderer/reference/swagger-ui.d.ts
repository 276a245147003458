/** Swagger UI as one ES module; its package brings no types. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface SwaggerOptions {
    /** The OpenAPI document itself, so that it is parsed once, as JSON. */
    spec: object;
    plugins?: readonly object[];
    domNode: HTMLElement;
    /** The open operation is in the fragment of the URL. */
    deepLinking: boolean;
    docExpansion: 'list' | 'full' | 'none';
    /** A field that narrows the tags. */
    filter: boolean;
    /** A service that validates the document; null: none. */
    validatorUrl: string | null;
    /** How many levels of the list of schemas are open; -1: no list. */
    defaultModelsExpandDepth: number;
    /** How a schema is shown first: by its example or by its fields. */
    defaultModelRendering: 'example' | 'model';
  }
  export default function SwaggerUI(options: SwaggerOptions): void;
}
