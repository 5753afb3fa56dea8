// A closed-loop HTTP/1.1 client that times every request and every event of a stream. One thread, epoll, loopback only.
//
//   client -p PORT -c CONNECTIONS -n REQUESTS -t SECONDS -b BODY_FILE [-e EVENTS] [-H 'name: value']...
//
// Ends after REQUESTS or SECONDS, whichever comes first. Prints one line of JSON, times in microseconds. With -e each
// answer must be a stream of that many events, in order, as bench/tools/upstream.c sends them.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { HEAD_BYTES = 32768, EVENTS_AT_ONCE = 512, MOST_ERRORS = 200, GRACE_SECONDS = 8 };

// Where in an answer the next byte belongs.
typedef enum { IN_HEAD, IN_LENGTH, IN_SIZE, IN_CHUNK, AFTER_CHUNK, IN_TRAILER } place;

typedef struct {
  int fd, busy, waits_for_room, was_reused;
  size_t sent;
  place at;
  char head[HEAD_BYTES];
  int head_length, status, closes;
  int64_t left;
  char size[20];
  int size_length, trailer_length;
  uint64_t began, first_byte, first_event, last_event;
  // The time stamp being read: digits so far, -1 outside of one.
  int digits, events, in_order;
  uint64_t stamp, last_stamp;
} connection;

typedef struct {
  uint32_t *values;
  size_t count, room;
} samples;

static char *request;
static size_t request_length;
static int port, poll_fd, expected_events = -1;
static long most = 1000, started, done, good, refused, failed, incomplete, disordered, running;
static uint64_t ends_at, all_events;
static samples totals, first_bytes, first_events, transits, gaps;

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void add(samples *all, uint64_t value) {
  if (all->count == all->room) {
    all->room = all->room ? all->room * 2 : 4096;
    all->values = realloc(all->values, all->room * sizeof *all->values);
  }
  all->values[all->count++] = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

static int by_value(const void *a, const void *b) {
  uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
  return (left > right) - (left < right);
}

static void print_samples(const char *name, samples *all) {
  if (all->count == 0) {
    printf(",\"%s\":null", name);
    return;
  }
  qsort(all->values, all->count, sizeof *all->values, by_value);
  printf(",\"%s\":{\"p50\":%.1f,\"p99\":%.1f,\"max\":%.1f}", name,
         all->values[(size_t)((all->count - 1) * 0.5)] / 10.0, all->values[(size_t)((all->count - 1) * 0.99)] / 10.0,
         all->values[all->count - 1] / 10.0);
}

static int dial(connection *c) {
  int on = 1;
  c->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  struct sockaddr_in address = {
    .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (connect(c->fd, (void *)&address, sizeof address) < 0 && errno != EINPROGRESS) {
    close(c->fd);
    c->fd = -1;
    return -1;
  }
  struct epoll_event event = {.events = EPOLLIN | EPOLLOUT, .data.ptr = c};
  epoll_ctl(poll_fd, EPOLL_CTL_ADD, c->fd, &event);
  c->waits_for_room = 1;
  return 0;
}

static void hang_up(connection *c) {
  if (c->fd >= 0) close(c->fd);
  c->fd = -1;
}

static void wait_for_room(connection *c, int waits) {
  if (c->waits_for_room == waits) return;
  c->waits_for_room = waits;
  struct epoll_event event = {.events = EPOLLIN | (waits ? EPOLLOUT : 0), .data.ptr = c};
  epoll_ctl(poll_fd, EPOLL_CTL_MOD, c->fd, &event);
}

// -1 when the connection is dead.
static int send_request(connection *c) {
  while (c->sent < request_length) {
    ssize_t written = write(c->fd, request + c->sent, request_length - c->sent);
    if (written < 0 && (errno == EAGAIN || errno == ENOTCONN || errno == EINPROGRESS)) {
      wait_for_room(c, 1);
      return 0;
    }
    if (written < 0) return -1;
    c->sent += written;
  }
  wait_for_room(c, 0);
  return 0;
}

static void begin(connection *c) {
  c->busy = 0;
  if (started >= most || now_ns() > ends_at) {
    hang_up(c);
    return;
  }
  started += 1;
  running += 1;
  c->busy = 1;
  c->sent = 0;
  c->at = IN_HEAD;
  c->head_length = c->status = c->events = 0;
  c->digits = -1;
  c->in_order = 1;
  c->first_byte = c->first_event = c->last_event = c->last_stamp = 0;
  c->was_reused = c->fd >= 0;
  c->began = now_ns();
  int is_up = c->fd >= 0 && send_request(c) == 0;
  if (is_up) return;
  if (c->was_reused) hang_up(c);
  if (dial(c) == 0) return;
  failed += 1;
  running -= 1;
  c->busy = 0;
}

static void finish(connection *c, int arrived) {
  uint64_t now = now_ns();
  int is_short = expected_events >= 0 && c->events != expected_events;
  running -= 1;
  done += 1;
  all_events += c->events;
  if (!arrived) failed += 1;
  else if (c->status != 200) refused += 1;
  else if (is_short) incomplete += 1;
  else good += 1;
  if (!c->in_order) disordered += 1;
  if (arrived && c->status == 200) {
    add(&totals, (now - c->began) / 100);
    if (c->first_byte) add(&first_bytes, (c->first_byte - c->began) / 100);
    if (c->first_event) add(&first_events, (c->first_event - c->began) / 100);
  }
  if (!arrived || c->closes) hang_up(c);
  begin(c);
}

static void saw_event(connection *c, uint64_t now) {
  uint64_t sent_ns = c->stamp * 1000;
  add(&transits, now > sent_ns ? (now - sent_ns) / 100 : 0);
  if (c->last_event) add(&gaps, (now - c->last_event) / 100);
  else c->first_event = now;
  if (c->stamp < c->last_stamp) c->in_order = 0;
  c->last_event = now;
  c->last_stamp = c->stamp;
  c->events += 1;
}

static void read_body(connection *c, const char *bytes, size_t length, uint64_t now) {
  if (expected_events < 0) return;
  for (size_t i = 0; i < length; i += 1) {
    char byte = bytes[i];
    if (c->digits < 0) {
      const char *mark = memchr(bytes + i, 'T', length - i);
      if (!mark) return;
      i = mark - bytes;
      c->digits = 0;
      c->stamp = 0;
    } else if (byte >= '0' && byte <= '9' && c->digits < 16) {
      c->stamp = c->stamp * 10 + (byte - '0');
      c->digits += 1;
    } else if (byte == ';' && c->digits == 16) {
      saw_event(c, now);
      c->digits = -1;
    } else {
      c->digits = byte == 'T' ? 0 : -1;
      c->stamp = 0;
    }
  }
}

// Takes from `bytes` what belongs to the head; the number of bytes, or -1 for nonsense.
static int read_head(connection *c, const char *bytes, size_t length) {
  size_t room = HEAD_BYTES - 1 - c->head_length, taken = length < room ? length : room;
  if (taken == 0) return -1;
  int before = c->head_length;
  memcpy(c->head + before, bytes, taken);
  c->head_length += (int)taken;
  c->head[c->head_length] = 0;
  char *end = memmem(c->head, c->head_length, "\r\n\r\n", 4);
  if (!end) return (int)taken;
  *end = 0;
  c->head_length = 0;
  c->status = atoi(c->head + 9);
  if (c->status != 100) {
    char *stated = strcasestr(c->head, "\r\ncontent-length:");
    int is_chunked = strcasestr(c->head, "\r\ntransfer-encoding: chunked") != NULL;
    if (!is_chunked && !stated) return -1;
    c->closes = strcasestr(c->head, "\r\nconnection: close") != NULL;
    c->left = is_chunked ? 0 : atoll(stated + 17);
    c->at = is_chunked ? IN_SIZE : IN_LENGTH;
    c->size_length = c->trailer_length = 0;
  }
  return (int)(end + 4 - c->head) - before;
}

// -1 when the answer is nonsense.
static int feed(connection *c, const char *bytes, size_t length) {
  uint64_t now = now_ns();
  while (length > 0) {
    if (!c->busy) return -1;
    size_t taken = 1;
    if (c->at == IN_HEAD) {
      int used = read_head(c, bytes, length);
      if (used < 0) return -1;
      taken = used;
      if (c->at == IN_LENGTH && c->left == 0) {
        finish(c, 1);
        return 0;
      }
    } else if (c->at == IN_LENGTH || c->at == IN_CHUNK) {
      if (!c->first_byte) c->first_byte = now;
      taken = (int64_t)length < c->left ? length : (size_t)c->left;
      read_body(c, bytes, taken, now);
      c->left -= taken;
      if (c->left == 0 && c->at == IN_LENGTH) {
        finish(c, 1);
        return 0;
      }
      if (c->left == 0) c->at = AFTER_CHUNK;
    } else if (c->at == IN_SIZE) {
      if (*bytes == '\n') {
        c->size[c->size_length] = 0;
        c->left = strtoll(c->size, NULL, 16);
        c->size_length = 0;
        c->at = c->left > 0 ? IN_CHUNK : IN_TRAILER;
      } else if (*bytes != '\r' && c->size_length < (int)sizeof c->size - 1) c->size[c->size_length++] = *bytes;
    } else if (c->at == AFTER_CHUNK) {
      if (*bytes == '\n') c->at = IN_SIZE;
    } else if (*bytes == '\n') {
      if (c->trailer_length == 0) {
        finish(c, 1);
        return 0;
      }
      c->trailer_length = 0;
    } else if (*bytes != '\r') c->trailer_length += 1;
    bytes += taken;
    length -= taken;
  }
  return 0;
}

static int is_dead_after(connection *c, uint32_t events) {
  static char buffer[1 << 18];
  if ((events & EPOLLOUT) && c->busy && send_request(c) < 0) return 1;
  if (c->fd < 0 || !(events & (EPOLLIN | EPOLLHUP | EPOLLERR))) return 0;
  ssize_t count = read(c->fd, buffer, sizeof buffer);
  if (count > 0) return feed(c, buffer, count) < 0;
  return count == 0 || errno != EAGAIN;
}

static void lost(connection *c) {
  hang_up(c);
  if (!c->busy) return;
  int is_stale = c->was_reused && c->at == IN_HEAD && c->head_length == 0;
  if (is_stale) {
    // The other side closed an idle connection: nobody has seen the request.
    running -= 1;
    started -= 1;
    begin(c);
  } else finish(c, 0);
  if (failed > MOST_ERRORS) started = most;
}

static void read_request(const char *file, const char *headers) {
  FILE *body = fopen(file, "rb");
  if (!body) {
    perror(file);
    exit(1);
  }
  fseek(body, 0, SEEK_END);
  size_t length = ftell(body);
  rewind(body);
  request = malloc(length + 16384);
  int head = sprintf(request,
    "POST /v1/messages HTTP/1.1\r\nhost: 127.0.0.1:%d\r\ncontent-type: application/json\r\naccept: */*\r\n"
    "user-agent: pointsman-bench/1\r\n%scontent-length: %zu\r\n\r\n",
    port, headers, length);
  if (fread(request + head, 1, length, body) != length) exit(1);
  request_length = head + length;
  fclose(body);
}

int main(int count, char **arguments) {
  const char *file = NULL;
  char headers[8192] = "";
  int connections = 1, option;
  double seconds = 10;
  signal(SIGPIPE, SIG_IGN);
  while ((option = getopt(count, arguments, "p:c:n:t:b:e:H:")) != -1) {
    if (option == 'p') port = atoi(optarg);
    else if (option == 'c') connections = atoi(optarg);
    else if (option == 'n') most = atol(optarg);
    else if (option == 't') seconds = atof(optarg);
    else if (option == 'b') file = optarg;
    else if (option == 'e') expected_events = atoi(optarg);
    else if (option == 'H') strcat(strcat(headers, optarg), "\r\n");
    else return 2;
  }
  if (!file) return 2;
  read_request(file, headers);
  poll_fd = epoll_create1(0);
  connection *all = calloc(connections, sizeof *all);
  uint64_t began = now_ns();
  ends_at = began + (uint64_t)(seconds * 1e9);
  uint64_t given_up_at = ends_at + GRACE_SECONDS * 1000000000ull;
  for (int i = 0; i < connections; i += 1) {
    all[i].fd = -1;
    begin(&all[i]);
  }
  struct epoll_event ready[EVENTS_AT_ONCE];
  while (running > 0) {
    int found = epoll_wait(poll_fd, ready, EVENTS_AT_ONCE, 200);
    if (now_ns() > given_up_at) {
      failed += running;
      break;
    }
    for (int i = 0; i < found; i += 1) {
      connection *c = ready[i].data.ptr;
      if (c->fd >= 0 && is_dead_after(c, ready[i].events)) lost(c);
    }
  }
  double took = (now_ns() - began) / 1e9;
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  double cpu_ms = usage.ru_utime.tv_sec * 1e3 + usage.ru_utime.tv_usec / 1e3 + usage.ru_stime.tv_sec * 1e3 +
                  usage.ru_stime.tv_usec / 1e3;
  printf("{\"done\":%ld,\"good\":%ld,\"refused\":%ld,\"failed\":%ld,\"incomplete\":%ld,\"disordered\":%ld", done, good,
         refused, failed, incomplete, disordered);
  printf(",\"events\":%llu,\"seconds\":%.4f,\"perSecond\":%.1f,\"eventsPerSecond\":%.1f,\"cpuMs\":%.1f",
         (unsigned long long)all_events, took, done / took, all_events / took, cpu_ms);
  print_samples("total", &totals);
  print_samples("firstByte", &first_bytes);
  print_samples("firstEvent", &first_events);
  print_samples("transit", &transits);
  print_samples("gap", &gaps);
  printf("}\n");
  return 0;
}
