/** The message of a refusal is one sentence for the operator who typed the command. */
export class ReleaseRefusal extends Error {}
