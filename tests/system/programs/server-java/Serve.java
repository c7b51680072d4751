// The server of the JDK, unmodified: it answers with the path that it was asked for, or with what was sent to it.
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;

public class Serve {
    public static void main(String[] words) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(Integer.parseInt(words[0])), 0);
        server.createContext("/", exchange -> {
            boolean asks = exchange.getRequestMethod().equals("GET");
            byte[] body = exchange.getRequestBody().readAllBytes();
            byte[] answer = asks ? ("java" + exchange.getRequestURI()).getBytes() : body;
            exchange.sendResponseHeaders(200, answer.length == 0 ? -1 : answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        System.out.println("ready");
    }
}
