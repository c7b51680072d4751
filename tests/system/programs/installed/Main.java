import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Threads of a pool, of streams and of a schedule, garbage, and files: by stream, by channel and mapped. */
public class Main {
    public static void main(String[] words) throws Exception {
        if (words.length == 0) {
            System.out.println("hello");
            return;
        }
        System.out.println(sum() + " " + IntStream.range(0, 100_000).parallel().mapToLong(n -> n).sum());
        System.out.println(garbage());
        Path folder = Files.createTempDirectory("java");
        try {
            System.out.println(files(folder));
        } finally {
            try (var paths = Files.list(folder)) {
                for (Path path : paths.collect(Collectors.toList())) {
                    Files.delete(path);
                }
            }
            Files.delete(folder);
        }
        var schedule = Executors.newScheduledThreadPool(1);
        System.out.println(schedule.schedule(() -> "later", 20, TimeUnit.MILLISECONDS).get());
        schedule.shutdown();
    }

    private static int sum() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        List<Future<Integer>> squares = new ArrayList<>();
        for (int n = 0; n < 100; n++) {
            int number = n;
            squares.add(pool.submit(() -> number * number));
        }
        int sum = 0;
        for (Future<Integer> square : squares) {
            sum += square.get();
        }
        pool.shutdown();
        return sum;
    }

    private static long garbage() {
        long length = 0;
        for (int turn = 0; turn < 200; turn++) {
            length += new byte[1 << 20].length;
        }
        return length;
    }

    private static String files(Path folder) throws IOException {
        Path lines = folder.resolve("lines");
        Files.write(lines, IntStream.range(0, 1000).mapToObj(Integer::toString).collect(Collectors.toList()));
        long sum = Files.readAllLines(lines).stream().mapToLong(Long::parseLong).sum();
        Path mapped = folder.resolve("mapped");
        try (FileChannel channel = FileChannel.open(
                mapped, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer bytes = channel.map(FileChannel.MapMode.READ_WRITE, 0, 8192);
            bytes.put(5000, (byte) 'x');
            bytes.force();
        }
        int stored = Files.readAllBytes(mapped)[5000];
        Files.writeString(lines, "more", StandardCharsets.UTF_8, StandardOpenOption.APPEND);
        return sum + " " + stored + " " + Files.size(lines);
    }
}
