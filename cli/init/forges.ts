/** Forges whose pipelines a project can get. */
export const forges = ["github", "gitlab", "azure", "bitbucket"] as const;
export type Forge = (typeof forges)[number];
