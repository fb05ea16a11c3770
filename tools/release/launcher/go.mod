module pulumi-endpoint-monitoring/release/launcher

go 1.21
