// A hello of the JDK's own server, as `whittle bench servers` asks it: at a port.
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;

public final class Hello {
    public static void main(String[] words) throws IOException {
        byte[] body = "hello, world\n".getBytes();
        HttpServer server = HttpServer.create(new InetSocketAddress("0.0.0.0", Integer.parseInt(words[0])), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }
}
