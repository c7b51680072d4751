//! Programs that compile while they run: their own code comes and goes beside that of files, for minutes and under
//! load.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use system_tests::{Platform, need, scratch};

use crate::{guest, needs_memory_file};

/// How long each of them works, in seconds.
const SECONDS: u64 = 120;

/// Functions that are made anew, become hot and are thrown away, beside system calls.
const NODE: &str = "
const fs = require('fs'), end = Date.now() + SECONDS * 1000;
let wrong = 0, rounds = 0;
while (Date.now() < end) {
  const add = new Function('a', 'b', 'return a + b + ' + rounds);
  let sum = 0;
  for (let i = 0; i < 20000; i++) sum = (sum + add(i, 1)) % 1000003;
  let again = 0;
  for (let i = 0; i < 20000; i++) again = (again + i + 1 + rounds) % 1000003;
  if (sum !== again || !fs.statSync('/').isDirectory() || fs.readFileSync('/etc/passwd').length === 0) wrong++;
  rounds++;
}
console.log(wrong, rounds > 10);
";

const JAVA: &str = "
import java.nio.file.*;
import java.util.function.*;
class Compiles {
  static long end = System.nanoTime() + SECONDS * 1000000000L;
  static volatile int wrong, rounds;
  static void work() {
    try {
      while (System.nanoTime() < end) {
        int n = rounds++;
        LongUnaryOperator add = x -> x + n;
        long sum = 0, again = 0;
        for (long i = 0; i < 200000; i++) sum += add.applyAsLong(i);
        for (long i = 0; i < 200000; i++) again += i + n;
        if (sum != again || Files.size(Path.of(\"/etc/passwd\")) == 0) wrong++;
        if (n % 50 == 0) System.gc();
      }
    } catch (Exception error) { wrong++; }
  }
  public static void main(String[] words) throws Exception {
    Thread[] threads = new Thread[4];
    for (int i = 0; i < 4; i++) { threads[i] = new Thread(Compiles::work); threads[i].start(); }
    for (Thread thread : threads) thread.join();
    System.out.println(wrong + \" \" + (rounds > 10));
  }
}";

const LUA: &str = "
local ffi = require('ffi')
ffi.cdef('int getppid(void);')
local finish, wrong, rounds, parent = os.time() + SECONDS, 0, 0, ffi.C.getppid()
while os.time() < finish do
  local add = loadstring('return function(a) return a + ' .. rounds .. ' end')()
  local sum = 0
  for i = 1, 20000 do sum = sum + add(i) - rounds end
  for _ = 1, 200 do if ffi.C.getppid() ~= parent then wrong = wrong + 1 end end
  if sum ~= 200010000 then wrong = wrong + 1 end
  rounds = rounds + 1
end
print(wrong, rounds > 10)
";

/// One that computes beside it on the host, until it is dropped.
struct Load(&'static AtomicBool);

impl Load {
    fn new() -> Self {
        let ends: &'static AtomicBool = Box::leak(Box::new(AtomicBool::new(false)));
        thread::spawn(move || {
            while !ends.load(Ordering::Relaxed) {
                std::hint::spin_loop();
            }
        });
        Self(ends)
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn works(platform: Platform, words: &[&str]) {
    needs_memory_file(platform);
    let _load = Load::new();
    let guest = guest(platform, "rewrite", 2).limit(Duration::from_secs(20 * SECONDS));
    let outcome = guest.run(words);
    assert_eq!(outcome.status, 0, "{words:?}: {}", outcome.error_text());
    let text = outcome.text().replace('\t', " ");
    assert_eq!(text.trim_end(), "0 true", "{words:?}: {}", outcome.error_text());
}

fn seconds(program: &str) -> String {
    program.replace("SECONDS", &SECONDS.to_string())
}

pub fn node(platform: Platform) {
    need(&["node"]);
    works(platform, &["/usr/bin/node", "-e", &seconds(NODE)]);
}

pub fn java(platform: Platform) {
    need(&["javac", "java"]);
    let folder = scratch();
    let source = folder.path().join("Compiles.java");
    std::fs::write(&source, seconds(JAVA)).unwrap();
    works(platform, &["/usr/bin/java", source.to_str().unwrap()]);
}

pub fn luajit(platform: Platform) {
    need(&["luajit"]);
    works(platform, &["/usr/bin/luajit", "-e", &seconds(LUA)]);
}
