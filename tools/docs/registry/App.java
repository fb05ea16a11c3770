package generated_program;

import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.core.Output;
import com.pulumi.endpointmonitoring.EndpointAgentTag;
import com.pulumi.endpointmonitoring.EndpointAgentTagArgs;
import com.pulumi.endpointmonitoring.inputs.EndpointAgentTagFilterArgs;
import com.pulumi.endpointmonitoring.AgentToServerTest;
import com.pulumi.endpointmonitoring.AgentToServerTestArgs;
import com.pulumi.endpointmonitoring.HttpServerTest;
import com.pulumi.endpointmonitoring.HttpServerTestArgs;
import java.util.List;
import java.util.Arrays;
import java.util.Map;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Paths;

public class App {
    public static void main(String[] args) {
        Pulumi.run(App::stack);
    }

    public static void stack(Context ctx) {
        final var config = ctx.config();
        final var probePassword = config.requireSecret("probePassword");
        var office = new EndpointAgentTag("office", EndpointAgentTagArgs.builder()
            .key("site")
            .value("office")
            .matchType("or")
            .filters(EndpointAgentTagFilterArgs.builder()
                .key("hostname")
                .values("office-*")
                .build())
            .build());

        var gateway = new AgentToServerTest("gateway", AgentToServerTestArgs.builder()
            .testName("VPN gateway")
            .server("vpn.example.com")
            .protocol("tcp")
            .interval(300)
            .agentSelectorType("agent-tags")
            .tagIds(office.id().applyValue(List::of))
            .build());

        var portal = new HttpServerTest("portal", HttpServerTestArgs.builder()
            .testName("Portal")
            .url("https://portal.example.com/health")
            .authType("basic")
            .username("probe")
            .password(probePassword)
            .build());

        ctx.export("portalTestId", portal.testId());
    }
}
