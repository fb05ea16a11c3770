/** The parts of package.json that determine the URLs of a release. */
export interface Located {
  readonly version: string;
  readonly repository?: string | { readonly url: string };
}

export interface SchemaAddresses {
  readonly homepage: string;
  readonly repository: string;
  readonly pluginDownloadURL: string;
  readonly logoUrl: string;
}

/** Returns the URL of the repository's home page; undefined if package.json has no repository. */
export function homeOf({ repository }: Located): string | undefined {
  const url = typeof repository === "object" ? repository.url : repository;
  return url?.replace(/^git\+/, "").replace(/\.git$/, "");
}

/** Returns the URL of the folder with a release's plugins. The engine adds the name of the archive and downloads the plugin. */
export function downloadsOf(located: Located): string | undefined {
  const home = homeOf(located);
  if (home === undefined) return undefined;
  // At this URL, the engine also finds the latest release, so users need not specify a version.
  const github = /^https:\/\/github\.com\/(?<name>[^/]+\/[^/]+)$/.exec(home)?.groups?.["name"];
  return github === undefined ? `${home}/releases/download/v\${VERSION}` : `github://api.github.com/${github}`;
}

/** Returns the schema members that only a release contains. */
export function schemaAddresses(located: Located): SchemaAddresses | undefined {
  const [home, pluginDownloadURL] = [homeOf(located), downloadsOf(located)];
  if (home === undefined || pluginDownloadURL === undefined) return undefined;
  return {
    homepage: home,
    repository: home,
    pluginDownloadURL,
    logoUrl: `${home}/raw/v${located.version}/docs/pictures/logo.svg`,
  };
}

/** Returns Markdown with absolute links and pictures. npm and other registries show pages outside the repository. */
export function absoluteLinks(markdown: string, located: Located): string {
  const home = homeOf(located);
  if (home === undefined) return markdown;
  const tag = `v${located.version}`;
  const pictures = /\.(png|svg|gif|jpe?g)$/;
  const absolute = (path: string): string =>
    `${home}/${pictures.test(path.replace(/#.*/, "")) ? "raw" : "blob"}/${tag}/${path.replace(/^\.\//, "")}`;
  const isRelative = (target: string): boolean => !/^([a-z]+:|#|\/)/i.test(target);
  return markdown
    .replaceAll(/(\]\()([^)\s]+)/g, (all, open: string, target: string) => (isRelative(target) ? open + absolute(target) : all))
    .replaceAll(/((?:src|srcset|href)=")([^"\s]+)/g, (all, open: string, target: string) =>
      isRelative(target) ? open + absolute(target) : all,
    );
}
