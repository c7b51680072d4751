// Promises, timers, threads with messages and shared memory, files both ways, a directory that is watched.
const fs = require('fs');
const os = require('os');
const path = require('path');
const { createHash } = require('crypto');
const { gunzipSync, gzipSync } = require('zlib');
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');

const wait = (time, value) => new Promise((done) => setTimeout(done, time, value));

function computed(number, memory) {
  return new Promise((done, fail) => {
    const worker = new Worker(__filename, { workerData: { number, memory } });
    worker.on('message', done).on('error', fail);
  });
}

async function main() {
  const order = [];
  const later = new Promise((done) => setImmediate(() => done(order.push('immediate'))));
  process.nextTick(() => order.push('tick'));
  Promise.resolve().then(() => order.push('promise'));
  console.log(await Promise.all([wait(30, 'c'), wait(10, 'a'), wait(20, 'b')]), await later, order);

  const memory = new SharedArrayBuffer(4);
  console.log(await Promise.all([3, 4, 5].map((number) => computed(number, memory))), new Int32Array(memory)[0]);

  const folder = await fs.promises.mkdtemp(path.join(os.tmpdir(), 'node-'));
  const file = path.join(folder, 'file');
  await fs.promises.writeFile(file, 'text\n'.repeat(10000));
  await fs.promises.appendFile(file, 'end\n');
  const parts = [];
  for await (const part of fs.createReadStream(file)) parts.push(part);
  const bytes = Buffer.concat(parts);
  console.log(bytes.equals(fs.readFileSync(file)), fs.statSync(file).size, fs.readdirSync(folder));
  console.log(createHash('sha256').update(gunzipSync(gzipSync(bytes))).digest('hex'));
  const seen = new Promise((done) => {
    const watcher = fs.watch(folder, (what, name) => done([what, name, watcher.close()]));
  });
  fs.writeFileSync(path.join(folder, 'watched'), '');
  console.log(await seen);
  fs.rmSync(folder, { recursive: true });
  console.log(fs.existsSync(folder), process.version);
}

if (isMainThread) {
  main();
} else {
  const { number, memory } = workerData;
  for (let turn = 0; turn < 1000; turn++) Atomics.add(new Int32Array(memory), 0, number);
  parentPort.postMessage(number * number);
}
