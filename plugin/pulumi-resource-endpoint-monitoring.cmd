@rem What Pulumi starts on Windows as the provider of the package endpoint-monitoring. The arguments are the engine's.
@node "%~dp0..\dist\plugin\main.js" %*
