//! Servers of files, and proxies: nginx, lighttpd, haproxy and caddy, each with TLS and with a server behind it on the
//! host.

use crate::server::{Server, USUAL};

/// Python's own server of files, which is the one behind.
const BEHIND: &[&str] = &["/usr/bin/python3", "-m", "http.server", "-b", "127.0.0.1", "-d", "{F}/www", "{R}"];

/// A certificate, and pages: a short one, one of a megabyte, and one to compress.
const PREPARE: &str = "\
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 30 -subj /CN=localhost
cat cert.pem key.pem > both.pem
mkdir www; echo hello from a file > www/short.txt; seq 1 150000 > www/long; seq 1 5000 > www/numbers.html";

/// What each of them is asked. A server's date, and the times of its files, are left out.
macro_rules! asked {
    ($more:literal) => {
        concat!(
            "C='curl -s --max-time 60'; W=http://127.0.0.1:{P}; S=https://localhost:{Q}; T=\"$C --cacert cert.pem\"\n",
            "$C -i $W/short.txt | grep -iv -e ^date: -e ^last-modified: -e ^etag:\n",
            "$C $W/long | md5sum; $C -r 100-199 $W/long | md5sum; $C -I $W/missing | head -1\n",
            "$C -H 'Accept-Encoding: gzip' -D head $W/numbers.html | gzip -d | md5sum; grep -i content-encoding head\n",
            "for i in 1 2 3 4; do $C $W/long > got$i & done; wait; md5sum got?\n",
            "$T $S/short.txt; $T $S/long | md5sum\n",
            $more
        )
    };
}

pub const ALL: &[&Server] = &[
    &Server {
        name: "nginx_serves_and_leads_on",
        needs: &["nginx", "curl", "openssl", "/usr/bin/python3"],
        words: &["/usr/sbin/nginx", "-c", "{F}/nginx.conf"],
        natively: &["-g", "daemon off; master_process off;"],
        files: &[("nginx.conf", NGINX)],
        prepare: PREPARE,
        beside: BEHIND,
        client: asked!(
            "$C $W/up/short.txt; $C $W/up/long | md5sum; $T $S/short.txt -o /dev/null -w '%{http_version}\\n'"
        ),
        status: [0, 0],
        is_long: false,
        ..USUAL
    },
    &Server {
        name: "lighttpd_serves_and_leads_on",
        needs: &[
            "lighttpd",
            "/usr/lib/lighttpd/mod_deflate.so",
            "/usr/lib/lighttpd/mod_openssl.so",
            "curl",
            "openssl",
            "/usr/bin/python3",
        ],
        words: &["/usr/sbin/lighttpd", "-D", "-f", "{F}/lighttpd.conf"],
        files: &[("lighttpd.conf", LIGHTTPD)],
        prepare: PREPARE,
        beside: BEHIND,
        client: asked!("$C $W/up/short.txt; $C $W/up/long | md5sum"),
        status: [0, 0],
        ..USUAL
    },
    &Server {
        name: "haproxy_leads_on",
        needs: &["haproxy", "curl", "openssl", "/usr/bin/python3"],
        words: &["/usr/sbin/haproxy", "-db", "-f", "{F}/haproxy.conf"],
        files: &[("haproxy.conf", HAPROXY)],
        prepare: PREPARE,
        beside: BEHIND,
        client: asked!("$T $S/short.txt -o /dev/null -w '%{http_version}\\n'"),
        ..USUAL
    },
    &Server {
        name: "caddy_serves_and_leads_on",
        needs: &["caddy", "curl", "openssl", "/usr/bin/python3"],
        words: &["/usr/bin/caddy", "run", "--config", "{F}/Caddyfile", "--adapter", "caddyfile"],
        files: &[("Caddyfile", CADDY)],
        prepare: PREPARE,
        beside: BEHIND,
        client: asked!(
            "$C $W/up/short.txt; $C $W/up/long | md5sum; $T $S/short.txt -o /dev/null -w '%{http_version}\\n'"
        ),
        status: [0, 0],
        memory: Some("512M"),
        ..USUAL
    },
];

const NGINX: &str = "\
user root;
pid {F}/pid;
error_log stderr;
events {}
http {
    access_log {F}/access.log; sendfile on; tcp_nopush on; gzip on;
    include /etc/nginx/mime.types;
    client_body_temp_path {F}/body; proxy_temp_path {F}/proxy; fastcgi_temp_path {F}/fastcgi;
    uwsgi_temp_path {F}/uwsgi; scgi_temp_path {F}/scgi;
    server { listen {P}; root {F}/www; location /up/ { proxy_pass http://{H}:{R}/; } }
    server {
        listen {Q} ssl http2; root {F}/www;
        ssl_certificate {F}/cert.pem; ssl_certificate_key {F}/key.pem;
    }
}
";

const LIGHTTPD: &str = r#"
server.modules = ("mod_deflate", "mod_proxy", "mod_openssl", "mod_accesslog")
server.document-root = "{F}/www"
server.port = {P}
server.bind = "0.0.0.0"
mimetype.assign = (".txt" => "text/plain", ".html" => "text/html")
deflate.mimetypes = ("text/html")
deflate.allowed-encodings = ("gzip")
accesslog.filename = "{F}/access.log"
$HTTP["url"] =~ "^/up/" {
    proxy.server = ("" => (("host" => "{H}", "port" => {R})))
    proxy.header = ("map-urlpath" => ("/up/" => "/"))
}
$SERVER["socket"] == "0.0.0.0:{Q}" { ssl.engine = "enable" ssl.pemfile = "{F}/both.pem" }
"#;

const HAPROXY: &str = "\
global
  maxconn 200
  stats socket {F}/socket level admin
defaults
  mode http
  timeout connect 60s
  timeout client 60s
  timeout server 60s
  default_backend behind
frontend plain
  bind *:{P}
  http-response set-header X-By haproxy
  compression algo gzip
  compression type text/html
frontend secret
  bind *:{Q} ssl crt {F}/both.pem alpn h2,http/1.1
backend behind
  option httpchk GET /short.txt
  server one {H}:{R} check inter 500
";

const CADDY: &str = "\
{
    admin off
    auto_https off
    skip_install_trust
}
http://:{P} {
    encode gzip
    handle_path /up/* {
        reverse_proxy {H}:{R}
    }
    root * {F}/www
    file_server
}
https://localhost:{Q} {
    tls {F}/cert.pem {F}/key.pem
    root * {F}/www
    file_server
}
";
