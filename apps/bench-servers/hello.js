// A hello of node's, as `whittle bench servers` asks it: at a port.
const { createServer } = require("http");

createServer((request, answer) => answer.end("hello, world\n")).listen(Number(process.argv[2]), "0.0.0.0");
