// A very cheap stand-in for a vendor that speaks the Messages dialect: one thread, epoll, HTTP/1.1 keep-alive.
//
//   upstream PORT
//
// The model's name in the request picks the answer, so that it survives whatever a proxy does to path and headers:
//   mock-json          a small JSON answer
//   mock-s<N>-d<MS>    a stream of N text events, MS milliseconds apart; 0 is back to back
// Each event is one write and one HTTP chunk of its own. Its text is `T<16 digits>;`, the monotonic clock in
// microseconds, so that the client can tell how long that one event was on its way.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { HEAD_BYTES = 65536, MODEL_BYTES = 64, CARRY_BYTES = 80, OUT_BYTES = 4096, EVENTS_AT_ONCE = 512 };

typedef struct connection {
  int fd;
  int in_body;
  int64_t body_left;
  char head[HEAD_BYTES];
  int head_length;
  // The end of the last piece, for a model's name that two pieces share.
  char carry[CARRY_BYTES];
  int carry_length;
  char model[MODEL_BYTES];
  // The stream under way: `sent` of `events`, the next one at `due_us`.
  int streaming, events, sent;
  uint64_t gap_us, due_us;
  // What the socket did not take yet.
  char out[OUT_BYTES];
  int out_length, out_done, waits_for_room;
  struct connection *previous, *next;
} connection;

static int poll_fd;
static connection *streams;

static uint64_t now_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void start_stream(connection *c) {
  c->streaming = 1;
  c->previous = NULL;
  c->next = streams;
  if (streams) streams->previous = c;
  streams = c;
}

static void stop_stream(connection *c) {
  if (!c->streaming) return;
  c->streaming = 0;
  if (c->previous) c->previous->next = c->next;
  else streams = c->next;
  if (c->next) c->next->previous = c->previous;
}

static void hang_up(connection *c) {
  stop_stream(c);
  close(c->fd);
  free(c);
}

static void wait_for_room(connection *c, int waits) {
  if (c->waits_for_room == waits) return;
  c->waits_for_room = waits;
  struct epoll_event event = {.events = EPOLLIN | (waits ? EPOLLOUT : 0), .data.ptr = c};
  epoll_ctl(poll_fd, EPOLL_CTL_MOD, c->fd, &event);
}

// -1 when the connection is dead.
static int flush_out(connection *c) {
  while (c->out_done < c->out_length) {
    ssize_t written = write(c->fd, c->out + c->out_done, c->out_length - c->out_done);
    if (written < 0 && errno == EAGAIN) {
      wait_for_room(c, 1);
      return 0;
    }
    if (written < 0) return -1;
    c->out_done += written;
  }
  c->out_done = c->out_length = 0;
  wait_for_room(c, 0);
  return 0;
}

static void put(connection *c, const char *text, int length) {
  memcpy(c->out + c->out_length, text, length);
  c->out_length += length;
}

static void put_chunk(connection *c, const char *text, int length) {
  char size[16];
  put(c, size, sprintf(size, "%x\r\n", length));
  put(c, text, length);
  put(c, "\r\n", 2);
}

#define USAGE_IN "\"input_tokens\":1234,\"cache_creation_input_tokens\":0,\"cache_read_input_tokens\":567"

static int answer_json(connection *c) {
  char body[1024], head[256];
  int length = sprintf(body,
    "{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"%s\","
    "\"content\":[{\"type\":\"text\",\"text\":\"Hello from the mock.\"}],"
    "\"stop_reason\":\"end_turn\",\"stop_sequence\":null,\"usage\":{" USAGE_IN ",\"output_tokens\":7}}",
    c->model);
  put(c, head, sprintf(head,
    "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nrequest-id: req_mock_1\r\ncontent-length: %d\r\n\r\n",
    length));
  put(c, body, length);
  return flush_out(c);
}

static int begin_stream(connection *c, int events, int gap_ms) {
  static const char head[] =
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ncache-control: no-cache\r\n"
    "request-id: req_mock_1\r\ntransfer-encoding: chunked\r\n\r\n";
  char text[1024];
  put(c, head, sizeof head - 1);
  int length = sprintf(text,
    "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\",\"type\":\"message\","
    "\"role\":\"assistant\",\"model\":\"%s\",\"content\":[],\"stop_reason\":null,\"stop_sequence\":null,"
    "\"usage\":{" USAGE_IN ",\"output_tokens\":1}}}\n\n"
    "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,"
    "\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n",
    c->model);
  put_chunk(c, text, length);
  c->events = events;
  c->sent = 0;
  c->gap_us = (uint64_t)gap_ms * 1000;
  c->due_us = now_us() + c->gap_us;
  start_stream(c);
  return flush_out(c);
}

// The next event of a stream, or its end.
static int step_stream(connection *c) {
  char text[512];
  if (c->sent < c->events) {
    int length = sprintf(text,
      "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,"
      "\"delta\":{\"type\":\"text_delta\",\"text\":\"T%016llu;\"}}\n\n",
      (unsigned long long)now_us());
    put_chunk(c, text, length);
    c->sent += 1;
    c->due_us += c->gap_us;
    return flush_out(c);
  }
  int length = sprintf(text,
    "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n"
    "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\","
    "\"stop_sequence\":null},\"usage\":{\"output_tokens\":%d}}\n\n"
    "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
    c->events);
  put_chunk(c, text, length);
  put(c, "0\r\n\r\n", 5);
  stop_stream(c);
  return flush_out(c);
}

static int answer(connection *c) {
  int events = 0, gap_ms = 0;
  c->in_body = 0;
  if (c->model[0] == 0) strcpy(c->model, "mock-json");
  if (sscanf(c->model, "mock-s%d-d%d", &events, &gap_ms) == 2) return begin_stream(c, events, gap_ms);
  return answer_json(c);
}

// Copies the model's name out of `text`; a name without its end is left for the next piece.
static int take_model(connection *c, const char *text, int length) {
  const char *name = memmem(text, length, "mock-", 5);
  if (!name) return 0;
  const char *end = memchr(name, '"', text + length - name);
  if (!end || end - name >= MODEL_BYTES) return 0;
  memcpy(c->model, name, end - name);
  c->model[end - name] = 0;
  return 1;
}

static void look_for_model(connection *c, const char *piece, int length) {
  if (c->model[0] != 0) return;
  char seam[2 * CARRY_BYTES];
  int beginning = length < CARRY_BYTES ? length : CARRY_BYTES;
  memcpy(seam, c->carry, c->carry_length);
  memcpy(seam + c->carry_length, piece, beginning);
  if (c->carry_length > 0 && take_model(c, seam, c->carry_length + beginning)) return;
  if (take_model(c, piece, length)) return;
  c->carry_length = beginning;
  memcpy(c->carry, piece + length - beginning, beginning);
}

// -1 when the connection is dead or speaks nonsense.
static int feed(connection *c, const char *bytes, int length) {
  while (length > 0) {
    if (!c->in_body) {
      int room = HEAD_BYTES - 1 - c->head_length;
      int taken = length < room ? length : room;
      if (taken <= 0) return -1;
      memcpy(c->head + c->head_length, bytes, taken);
      int before = c->head_length;
      c->head_length += taken;
      c->head[c->head_length] = 0;
      char *end = memmem(c->head, c->head_length, "\r\n\r\n", 4);
      if (!end) return 0;
      int used = (int)(end + 4 - c->head) - before;
      bytes += used;
      length -= used;
      *end = 0;
      char *stated = strcasestr(c->head, "\r\ncontent-length:");
      c->body_left = stated ? atoll(stated + 17) : 0;
      c->in_body = 1;
      c->head_length = c->carry_length = 0;
      c->model[0] = 0;
      if (c->body_left == 0 && answer(c) < 0) return -1;
      continue;
    }
    int taken = length < c->body_left ? length : (int)c->body_left;
    look_for_model(c, bytes, taken);
    bytes += taken;
    length -= taken;
    c->body_left -= taken;
    if (c->body_left == 0 && answer(c) < 0) return -1;
  }
  return 0;
}

static void accept_all(int listener) {
  int fd, on = 1;
  while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    connection *c = calloc(1, sizeof *c);
    c->fd = fd;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
    epoll_ctl(poll_fd, EPOLL_CTL_ADD, fd, &event);
  }
}

static int is_dead_after(connection *c, uint32_t events) {
  static char buffer[1 << 18];
  if ((events & EPOLLOUT) && flush_out(c) < 0) return 1;
  if (!(events & (EPOLLIN | EPOLLHUP | EPOLLERR))) return 0;
  ssize_t count = read(c->fd, buffer, sizeof buffer);
  if (count == 0 || (count < 0 && errno != EAGAIN)) return 1;
  return count > 0 && feed(c, buffer, (int)count) < 0;
}

// How long until the next event is due; NULL when no stream runs.
static struct timespec *until_due(struct timespec *wait) {
  uint64_t first = UINT64_MAX, now = now_us();
  for (connection *c = streams; c; c = c->next)
    if (c->out_length == 0 && c->due_us < first) first = c->due_us;
  if (first == UINT64_MAX) return NULL;
  uint64_t left = first > now ? first - now : 0;
  wait->tv_sec = left / 1000000;
  wait->tv_nsec = left % 1000000 * 1000;
  return wait;
}

int main(int count, char **arguments) {
  signal(SIGPIPE, SIG_IGN);
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  struct sockaddr_in address = {
    .sin_family = AF_INET,
    .sin_port = htons(count > 1 ? atoi(arguments[1]) : 0),
    .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
  };
  if (bind(listener, (void *)&address, sizeof address) || listen(listener, 2048)) {
    perror("upstream");
    return 1;
  }
  poll_fd = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL}, ready[EVENTS_AT_ONCE];
  epoll_ctl(poll_fd, EPOLL_CTL_ADD, listener, &event);
  for (;;) {
    struct timespec wait;
    int found = epoll_pwait2(poll_fd, ready, EVENTS_AT_ONCE, until_due(&wait), NULL);
    for (int i = 0; i < found; i += 1) {
      connection *c = ready[i].data.ptr;
      if (!c) accept_all(listener);
      else if (is_dead_after(c, ready[i].events)) hang_up(c);
    }
    uint64_t now = now_us();
    for (connection *c = streams, *next; c; c = next) {
      next = c->next;
      if (c->out_length == 0 && c->due_us <= now && step_stream(c) < 0) hang_up(c);
    }
  }
}
