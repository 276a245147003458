/** A definition of a project: of an event name or of a property. */
export interface DefinitionRef {
  kind: 'event' | 'property';
  projectId: number;
  id: string;
}

/** What people say of a definition, by the columns of its table; what is absent stays as it is. Lists are JSON text. */
export interface DefinitionEdit {
  description?: string;
  tags?: string;
  verified?: boolean;
  hidden?: boolean;
  owner_id?: number | null;
  post_to_slack?: boolean;
  default_columns?: string;
  chosen_type?: string | null;
}

/**
 * Orders about definitions that the server gives to the thread of the commits, through `store.service('capture').call`:
 * events write the same rows in their commits.
 */
export type DefinitionOrder =
  /** Answers the new id, or null when the name is defined already. */
  | { kind: 'definitions.create'; projectId: number; name: string; edit: DefinitionEdit }
  /** Answers whether the definition was found; so does forgetting. */
  | { kind: 'definitions.update'; definition: DefinitionRef; edit: DefinitionEdit }
  /** What is forgotten is new when an event carries it again. */
  | { kind: 'definitions.forget'; definition: DefinitionRef };

/** The order of one kind, as its handler takes it. */
export type DefinitionOrderOf<Kind extends DefinitionOrder['kind']> = Extract<
  DefinitionOrder,
  { kind: Kind }
>;
