# Threads, fibers, extensions in C, and files.
require 'digest'
require 'json'
require 'tempfile'
require 'zlib'

queue = Queue.new
threads = (0...8).map { |n| Thread.new { queue << n * n } }
threads.each(&:join)
puts (0...8).sum { queue.pop }
fiber = Fiber.new { 3.times { |n| Fiber.yield n } }
p 3.times.map { fiber.resume }
puts JSON.generate(JSON.parse('{"a": [1, 2.5, null, "x"]}'))
puts Digest::SHA256.hexdigest(Zlib::Inflate.inflate(Zlib::Deflate.deflate('again ' * 1000)))
Tempfile.create('ruby') do |file|
  file.write((0...1000).to_a.join("\n"))
  file.flush
  puts File.readlines(file.path).sum(&:to_i), File.size(file.path)
end
begin
  File.open('/nothing')
rescue SystemCallError => error
  puts error.class
end
GC.start
puts "caf\u00e9".unicode_normalize(:nfd).length, RUBY_VERSION
