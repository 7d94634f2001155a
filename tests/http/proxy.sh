#!/bin/bash
# proxy.sh - Footnote behind nginx and behind Caddy, with the configurations
# that docs/operations.md quotes: only names, ports and paths are replaced.
# Ends with the closing line.
. "$(dirname "$0")/../help/program.sh"
cd "$tree" || exit
proxy='' port='' front=()
trap 'end_proxy; stop; rm -rf "$scratch"' EXIT

end_proxy() {
    [ -z "$proxy" ] || { kill "$proxy" && wait "$proxy"; } 2>/dev/null
    proxy=
}
# A port that was free a moment ago.
free_port() {
    start --data "$scratch/data" && stop
    port=${url##*:}
}

# block LANGUAGE N: the Nth fenced block of that language on the page.
block() {
    awk -v fence="\`\`\`$1" -v wanted="$2" '
        inside && /^```$/ { inside = 0 }
        inside && n == wanted
        $0 == fence { inside = 1; n++ }
    ' docs/operations.md
}

# ---- The proxies ------------------------------------------------------------

certificate() {
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=notes \
        -addext subjectAltName=DNS:notes.example.com \
        -keyout "$scratch/key.pem" -out "$scratch/cert.pem" 2>/dev/null
}

# make_nginx PORT AUTH: AUTH is a file of lines for location /.
make_nginx() {
    cat <<END
daemon off;
pid $scratch/nginx.pid;
error_log $scratch/nginx.log;
events {}
http {
    access_log off;
    client_body_temp_path $scratch/t1;
    proxy_temp_path $scratch/t2;
    fastcgi_temp_path $scratch/t3;
    uwsgi_temp_path $scratch/t4;
    scgi_temp_path $scratch/t5;
END
    block nginx 1 | sed -e "s|127.0.0.1:8080|127.0.0.1:$port|" \
        -e "s|listen 443|listen 127.0.0.1:$1|" \
        -e "s|/etc/letsencrypt.*/fullchain.pem|$scratch/cert.pem|" \
        -e "s|/etc/letsencrypt.*/privkey.pem|$scratch/key.pem|" \
        -e "/location \/ {/r $2"
    echo '}'
}

# Caddy would ask the world for a certificate: it is tested without one.
make_caddy() {
    cat <<END
{
	admin off
	auto_https off
	default_bind 127.0.0.1
	log {
		output file $scratch/caddy.log
	}
}
END
    block caddy 1 | sed -e "s|127.0.0.1:8080|127.0.0.1:$port|" \
        -e "s|^notes.example.com|http://notes.example.com:$1|" \
        -e "/respond \/metrics/r $2"
}

# lines_for [sign-in]: the file of what is added, if anything is.
lines_for() {
    if [ -n "$1" ]; then echo "$scratch/lines"; else echo /dev/null; fi
}

start_nginx() {
    block nginx 2 | sed "s|/etc/nginx/footnote|$scratch/footnote|" \
        >"$scratch/lines"
    printf 'bob:%s\n' "$(openssl passwd -apr1 secret)" \
        >"$scratch/footnote.htpasswd"
    # Its workers run as another user.
    chmod 755 "$scratch" && chmod 644 "$scratch/footnote.htpasswd"
    make_nginx "$1" "$(lines_for "${2-}")" >"$scratch/nginx.conf"
    nginx -c "$scratch/nginx.conf" -e "$scratch/nginx.log" &
    proxy=$!
    front=(--cacert "$scratch/cert.pem" "https://notes.example.com:$1")
}

start_caddy() {
    local hash
    hash=$(caddy hash-password --plaintext secret)
    block caddy 2 | sed "s|HASH|$hash|" >"$scratch/lines"
    make_caddy "$1" "$(lines_for "${2-}")" >"$scratch/Caddyfile"
    HOME=$scratch XDG_DATA_HOME=$scratch XDG_CONFIG_HOME=$scratch \
        caddy run --config "$scratch/Caddyfile" --adapter caddyfile \
        >"$scratch/caddy.out.log" 2>&1 &
    proxy=$!
    front=("http://notes.example.com:$1")
}

# ask PATH WORD...: through the proxy.
ask() {
    local path=$1 last=$((${#front[@]} - 1))
    shift
    curl -sS --max-time 60 --noproxy '*' \
        --resolve "notes.example.com:$front_port:127.0.0.1" \
        "${front[@]:0:last}" "$@" "${front[last]}$path"
}
status() { ask "$@" -o /dev/null -w '%{http_code}'; }
is() { [ "$("${@:2}")" = "$1" ] || { echo "no $1: ${*:2}"; return 1; }; }

# run PROXY [sign-in]: starts both, and waits until requests come through.
run() {
    local try flags=(--auth "key,proxy" --trusted-proxies 127.0.0.1
        --public-url https://notes.example.com)
    free_port && front_port=$port
    start --data "$scratch/data" "${flags[@]}" && port=${url##*:}
    "start_$1" "$front_port" "${2-}" || return
    for ((try = 0; try < 600; try++)); do
        [ "$(status /healthz "${user[@]}" 2>/dev/null)" != 200 ] || return 0
        kill -0 "$proxy" || return
        sleep 0.1
    done
    return 1
}
user=()
finish() {
    end_proxy
    stop
}

# ---- What must work through them --------------------------------------------

json=(-H 'Content-Type: application/json')

large_body() {
    local n=$1
    {
        printf '{"role":"assistant","content":"'
        head -c "$n" /dev/zero | tr '\0' a
        printf '"}'
    } >"$scratch/body"
    status /api/sessions/large/messages "${auth[@]}" "${json[@]}" "${@:2}" \
        --data-binary "@$scratch/body"
}

not_modified() {
    local tag
    tag=$(ask /api/sessions "${auth[@]}" -D - -o /dev/null |
        sed -n 's/^etag: *//Ip' | tr -d '\r')
    [ -n "$tag" ] &&
        is 304 status /api/sessions "${auth[@]}" -H "If-None-Match: $tag"
}

accepted() {
    curl -sS --noproxy '*' "$url/metrics" |
        sed -n 's/^footnote_http_connections_total //p'
}

# Twenty requests on one connection, and few connections behind the proxy.
keep_alive() {
    local before after made words=()
    before=$(accepted)
    for _ in {1..19}; do
        words+=("${front[-1]}/api/me" -o /dev/null)
    done
    made=$(ask /api/me "${auth[@]}" -o /dev/null "${words[@]}" \
        -w '%{num_connects} ')
    after=$(accepted)
    echo "connections: $made, then $((after - before))"
    [ "$((${made// /+}0))" -eq 1 ] && [ $((after - before)) -le 3 ]
}

# What is said of clients: not from loopback, and nobody by their own word.
plain() {
    auth=(-H "Authorization: Bearer $("$program" key add ada \
        --data "$scratch/data")")
    check "$1: a request" is 200 status /api/me "${auth[@]}"
    check "$1: nobody" is 401 status /api/me
    check "$1: a name of the client's own" is 401 \
        status /api/me -H 'Remote-User: eve'
    check "$1: no metrics" is 404 status /metrics
    check "$1: a large body" is 201 large_body 900000
    check "$1: a large body in chunks" is 201 large_body 900000 \
        -H 'Transfer-Encoding: chunked'
    check "$1: a body over our limit" is 413 large_body 2000000
    check "$1: not modified" not_modified
    check "$1: keep-alive" keep_alive
    check "$1: compressed" grep -q '"version"' \
        <(ask /version --compressed)
}

signed_in() {
    check "$1: signed in at the proxy" grep -q '"userId":"bob".*"proxy"' \
        <(ask /api/me "${user[@]}")
    check "$1: whatever the client says" grep -q '"userId":"bob"' \
        <(ask /api/me "${user[@]}" -H 'Remote-User: eve')
    check "$1: not signed in" is 401 status /api/me -H 'Remote-User: bob'
}

certificate
for name in nginx caddy; do
    user=()
    check "$name: starts" run "$name"
    plain "$name"
    finish
    user=(-u bob:secret)
    check "$name: starts with users" run "$name" sign-in
    signed_in "$name"
    finish
done
closing
