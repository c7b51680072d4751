<?php
// Generators, closures, extensions in C, and files.
function squares(int $count): Generator {
    for ($n = 0; $n < $count; $n++) {
        yield $n * $n;
    }
}
echo array_sum(iterator_to_array(squares(100))), ' ', json_encode(['a' => [1, 2.5, null]]), PHP_EOL;
echo hash('sha256', gzuncompress(gzcompress(str_repeat('again ', 1000)))), PHP_EOL;
$name = tempnam(sys_get_temp_dir(), 'php');
file_put_contents($name, implode("\n", range(1, 1000)));
$handle = fopen($name, 'r+');
flock($handle, LOCK_EX);
fseek($handle, -4, SEEK_END);
echo array_sum(file($name)), ' ', filesize($name), ' ', fread($handle, 10), PHP_EOL;
fclose($handle);
unlink($name);
var_dump(file_exists($name), preg_match('/(\d+)-(\d+)/', 'a 12-34 b', $found), $found[2]);
try {
    intdiv(1, 0);
} catch (DivisionByZeroError $error) {
    echo $error->getMessage(), ' ', PHP_VERSION, PHP_EOL;
}
