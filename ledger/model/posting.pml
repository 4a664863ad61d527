/*
 * A model of how several processes post to the same ledger accounts, for the model checker Spin.
 * README.md in this folder describes the protocol, the assumptions, the properties and the bounds.
 *
 * Names follow the code: posting batcher (posting-batcher.ts), locked mode (its #postLocked),
 * command (kernel/writing/command.ts), guard and balance check (ledger.book and triggers, in SQL).
 * The comment above an assertion states the property that it checks; scripts/check-model.mjs prints
 * this comment.
 *
 * Variants are selected with -D. The default is GUARD_STAMP, the protocol as implemented:
 *   GUARD_COUNTER       the guard is a counter that each change increments
 *   COUNTER_WITH_CHECK  as above, and the database checks that a balance changes by its entries
 *   STAMP_PER_WRITER    a stamp identifies the writer and the group, but not the attempt
 *   NO_KEY_CLAIM        the statement does not claim the idempotency keys
 *   UNHELD_REFUSAL      balances that were only read are not guarded
 *   UNHELD_INPUT        a command also depends on an input that its statement does not guard
 *   CLAIMED_REFUSAL     a rejected command claims its key (together with UNHELD_INPUT)
 *   UNFAIR_LOCKS        locked mode may overtake a statement that waits for the same row
 * Options:
 *   BALANCES_ONLY       leaves out the property about rejections
 *   NO_FAILURES         only the scenarios without failures
 *   SMALL               only the smaller scenarios
 *   DEEP                larger scenarios
 */

#ifdef COUNTER_WITH_CHECK
#define GUARD_COUNTER
#define BALANCE_CHECK
#endif

/* ---- Bounds ---------------------------------------------------------------------------------- */

/*
 * There are two accounts, which may not be overdrawn, and five jobs. A job is one posting with one
 * idempotency key. A set of jobs is a byte with one bit for each job.
 *
 *   job 0  payment     A -2
 *   job 1  reversal    A -1
 *   job 2  deposit     A +2
 *   job 3  payment     B -1           rejected unless job 4 was first
 *   job 4  transfer    A -1, B +1     the command
 */
#define A 0
#define B 1
#define ACCOUNTS 2
#define JOBS 5
#define OPENING_A 3
#define OPENING_B 0
#define bit(job) (1 << (job))
#define TRANSFER bit(4)
#define amount(job, a) \
  ((a) == A -> ((job) == 0 -> -2 : ((job) == 1 -> -1 : ((job) == 2 -> 2 : ((job) == 4 -> -1 : 0)))) \
            : ((job) == 3 -> -1 : ((job) == 4 -> 1 : 0)))
/* The jobs of a set that change the balance of an account. */
#define moving(jobs, a) ((jobs) & ((a) == A -> bit(0) | bit(1) | bit(2) | bit(4) : bit(3) | bit(4)))

/*
 * Connections: one for each batcher, one for the command, and two that take over the statements of
 * lost connections. When a connection is lost, its server process continues with the statements
 * that it has already received.
 */
#define BATCHERS 2
#define COMMAND 2
#define CLIENTS 3
#define CONNECTIONS 5

/* ---- The database ---------------------------------------------------------------------------- */

/* The result of a statement. The driver reports LOST when the connection is lost. */
mtype = { COMMITTED, GUARD_FAILED /* BG001 */, KEY_USED /* 23505, or claimed = 0 */,
          DEADLOCK /* 40P01 */, CANCELED /* a timeout, a terminated server process */, LOST };

/*
 * A row of ledger.balance with two values that are derived from its entries: `entries` is the
 * opening balance plus the amounts of all committed entries, and `lastAfter` is the running balance
 * of the last entry.
 */
typedef Row {
  short balance;
  byte stamp;
  byte lockedBy; /* connection + 1 of the transaction in locked mode that holds the row */
  byte waiting;  /* statements that wait for the row; no other statement overtakes them */
  short entries;
  short lastAfter
};
Row row[ACCOUNTS];

/* kernel.idempotency: the jobs whose key is claimed, by outcome. */
byte booked;
byte refused;

/*
 * A statement as it was sent. `stamp[a]` is the stamp with which balance a was read (0: not read).
 * The statement writes absolute balances: `balance[a]`, on which it was decided, plus the accepted
 * amounts.
 */
typedef Statement {
  byte jobs;
  byte accepted;
  byte newStamp;
  byte stamp[ACCOUNTS];
  short balance[ACCOUNTS]
};
/* The unfinished statements that a connection has received, in order, at most two. */
Statement first[CONNECTIONS];
Statement second[CONNECTIONS];
/* Keys that an unfinished statement has inserted. Other statements that insert them wait. */
byte claims[CONNECTIONS];

chan answers[CLIENTS] = [2] of { mtype };

/* ---- The clients ----------------------------------------------------------------------------- */

byte queue[BATCHERS]; /* jobs that wait at a batcher */
byte jobs;            /* all jobs of the scenario */
byte answered;        /* jobs whose client has received a response */
bit isDeclined;       /* the command's client received a rejection, which writes nothing */
byte failures;        /* how many failures may still happen */
#ifdef UNHELD_INPUT
bit isForbidden;      /* an input that the statement does not guard, such as an entitlement */
#else
#define isForbidden 0
#endif

typedef Balances {
  byte stamp[ACCOUNTS]; /* 0: not cached */
  short balance[ACCOUNTS]
};
Balances cached[BATCHERS];

/* Scratch variables: they are set and used within one step, so they are not part of a state. */
hidden byte a;
hidden byte j;
hidden byte k;
hidden short delta;
hidden short after[ACCOUNTS];
hidden byte accepted;
hidden byte fresh;
hidden int taken;
hidden byte passes;
hidden Balances books;

/* ---- Executing a statement ------------------------------------------------------------------- */

#ifdef NO_KEY_CLAIM
#define usedKeys 0
#define isKeyPending(c) 0
#else
#define usedKeys (booked | refused)
#define isKeyPending(c) \
  (first[c].jobs & ~claims[c] & (claims[0] | claims[1] | claims[2] | claims[3] | claims[4]))
#endif

#define holds(c, a) (first[c].stamp[a] != 0)
#define isRowFree(c, a) (!holds(c, a) || row[a].lockedBy == 0 || row[a].lockedBy == c + 1)
#define areRowsFree(c) (isRowFree(c, A) && isRowFree(c, B))
#define areKeysFree(c) (!isKeyPending(c) && !(first[c].jobs & usedKeys))
/* Whether two connections deadlock: c waits for a key of d, and d for a row that c has locked. */
#define isCycle(c, d) \
  (first[c].jobs & claims[d] && c != d && \
  ((holds(d, A) && row[A].lockedBy == c + 1) || (holds(d, B) && row[B].lockedBy == c + 1)))
#define isInCycle(c) \
  (isCycle(c, 0) || isCycle(c, 1) || isCycle(c, 2) || isCycle(c, 3) || isCycle(c, 4) || \
   isCycle(0, c) || isCycle(1, c) || isCycle(2, c) || isCycle(3, c) || isCycle(4, c))

#ifdef GUARD_COUNTER
#define stampAfter(new, old) ((old) + 1)
#else
#define stampAfter(new, old) (new)
#endif

inline copy(to, from) {
  to.jobs = from.jobs;
  to.accepted = from.accepted;
  to.newStamp = from.newStamp;
  to.stamp[A] = from.stamp[A];
  to.stamp[B] = from.stamp[B];
  to.balance[A] = from.balance[A];
  to.balance[B] = from.balance[B]
}

inline clear(statement) {
  statement.jobs = 0;
  statement.accepted = 0;
  statement.newStamp = 0;
  statement.stamp[A] = 0;
  statement.stamp[B] = 0;
  statement.balance[A] = 0;
  statement.balance[B] = 0
}

inline unlock(c) {
  if :: row[A].lockedBy == c + 1 -> row[A].lockedBy = 0 :: else fi;
  if :: row[B].lockedBy == c + 1 -> row[B].lockedBy = 0 :: else fi
}

/* Commits or rolls back: releases rows and keys, notifies the client, takes the next statement. */
inline finish(c, outcome) {
  unlock(c);
  if :: claims[c] && holds(c, A) -> row[A].waiting-- :: else fi;
  if :: claims[c] && holds(c, B) -> row[B].waiting-- :: else fi;
  claims[c] = 0;
  printf(">> connection %d: %e, jobs <%d>; A = %d, B = %d\n",
    c, outcome, first[c].jobs, row[A].balance, row[B].balance);
  if
  :: c < CLIENTS -> answers[c] ! outcome
  :: else
  fi;
  copy(first[c], second[c]);
  clear(second[c])
}

/* ledger.book: the guard, then the entries and balances. All rows are locked, so it is one step. */
inline execute(c) {
  passes = 1;
  for (a : 0 .. ACCOUNTS - 1) {
    if
    :: holds(c, a) && first[c].stamp[a] != row[a].stamp -> passes = 0
    :: else
    fi;
#ifdef BALANCE_CHECK
    /* The new balance minus the stored balance is the sum of the entries inserted with it. */
    if
    :: moving(first[c].accepted, a) && first[c].balance[a] != row[a].balance -> passes = 0
    :: else
    fi
#endif
  }
  if
  :: !passes -> finish(c, GUARD_FAILED)
  :: else ->
    /* A job takes effect at most once. */
    assert((first[c].accepted & booked) == 0);
    /* A job takes no effect after its client received a rejection. */
    assert(!(isDeclined && (first[c].accepted & TRANSFER)));
    for (a : 0 .. ACCOUNTS - 1) {
#ifndef BALANCES_ONLY
      /* A rejection was decided on the current balance. */
      assert(!moving(first[c].jobs & ~first[c].accepted, a) || first[c].balance[a] == row[a].balance);
#endif
      if
      :: moving(first[c].accepted, a) ->
        delta = 0;
        for (j : 0 .. JOBS - 1) {
          if :: first[c].accepted & bit(j) -> delta = delta + amount(j, a) :: else fi
        }
        row[a].balance = first[c].balance[a] + delta;
        row[a].stamp = stampAfter(first[c].newStamp, first[c].stamp[a]);
        row[a].entries = row[a].entries + delta;
        /* A balance is its opening balance plus its entries. */
        assert(row[a].balance == row[a].entries);
        /* An entry starts from the running balance of the previous entry. */
        assert(first[c].balance[a] == row[a].lastAfter);
        row[a].lastAfter = first[c].balance[a] + delta;
        /* An account is never overdrawn. */
        assert(row[a].balance >= 0)
      :: else
      fi
    }
    booked = booked | first[c].accepted;
    refused = refused | (first[c].jobs & ~first[c].accepted);
    finish(c, COMMITTED)
  fi
}

/*
 * A server process of PostgreSQL. It executes the statements of its connection in order, each in a
 * separate transaction, or in the transaction of locked mode, which the statement ends. When the
 * connection is lost, the received statements may still be executed at any later time, or never.
 */
proctype Backend(byte c) {
end_idle:
  do
  :: d_step { first[c].jobs && areKeysFree(c) && areRowsFree(c) -> execute(c) }
  /* Keys are inserted before rows are locked, so a statement that waits for a row has its keys. */
  :: d_step {
      first[c].jobs && areKeysFree(c) && !areRowsFree(c) && !claims[c] ->
      claims[c] = first[c].jobs;
      printf(">> connection %d: waits for a row, jobs <%d>\n", c, first[c].jobs);
      if :: holds(c, A) -> row[A].waiting++ :: else fi;
      if :: holds(c, B) -> row[B].waiting++ :: else fi
    }
  :: d_step { !isKeyPending(c) && (first[c].jobs & usedKeys) -> finish(c, KEY_USED) }
  /* The deadlock detector aborts one of the two statements, which can be either. */
  :: d_step { first[c].jobs && isInCycle(c) -> finish(c, DEADLOCK) }
  :: d_step { first[c].jobs && c >= CLIENTS -> finish(c, CANCELED) }
  :: d_step { first[c].jobs && c < CLIENTS && failures > 0 -> failures--; finish(c, CANCELED) }
  od
}

/* ---- Deciding and sending -------------------------------------------------------------------- */

#ifdef STAMP_PER_WRITER
/* The stamp is derived from the first job of a group, so all attempts have the same stamp. */
inline makeStamp(c, group) {
  j = 0;
  do
  :: (group) & bit(j) -> break
  :: else -> j++
  od;
  fresh = 2 + c + CLIENTS * j
}
#else
/*
 * A random UUID is unique. In the model, a new stamp is the writer's first number that is not
 * stored anywhere: such a number cannot be compared with an old stamp, and the number of states
 * stays finite.
 */
inline makeStamp(c, group) {
  taken = 0;
  for (a : 0 .. ACCOUNTS - 1) {
    taken = taken | bit(row[a].stamp) | bit(cached[0].stamp[a]) | bit(cached[1].stamp[a]);
    for (k : 0 .. CONNECTIONS - 1) {
      taken = taken | bit(first[k].stamp[a]) | bit(second[k].stamp[a]) | bit(first[k].newStamp) | bit(second[k].newStamp)
    }
  }
  fresh = 2 + c;
  do
  :: taken & bit(fresh) -> fresh = fresh + CLIENTS
  :: else -> break
  od;
  /* A bound of the model: stamps fit in the set. */
  assert(fresh < 31)
}
#endif

inline read(a, into) {
  into.stamp[a] = row[a].stamp;
  into.balance[a] = row[a].balance
}

/* Decides jobs in order, each on the balances after the previous job. */
inline decide(group, from) {
  accepted = 0;
  after[A] = from.balance[A];
  after[B] = from.balance[B];
  for (j : 0 .. JOBS - 1) {
    if
    :: (group) & bit(j) && after[A] + amount(j, A) >= 0 && after[B] + amount(j, B) >= 0 ->
      accepted = accepted | bit(j);
      after[A] = after[A] + amount(j, A);
      after[B] = after[B] + amount(j, B)
    :: else
    fi
  }
}

#ifdef UNHELD_REFUSAL
#define held(group) accepted
#else
#define held(group) (group)
#endif

inline write(statement, group, from) {
  statement.jobs = group;
  statement.accepted = accepted;
#ifndef GUARD_COUNTER
  statement.newStamp = fresh;
#endif
  if :: moving(group, A) -> statement.balance[A] = from.balance[A] :: else fi;
  if :: moving(group, B) -> statement.balance[B] = from.balance[B] :: else fi;
  if :: moving(held(group), A) -> statement.stamp[A] = from.stamp[A] :: else fi;
  if :: moving(held(group), B) -> statement.stamp[B] = from.stamp[B] :: else fi
}

inline send(c, group, from) {
#ifndef GUARD_COUNTER
  makeStamp(c, group);
#endif
  printf(">> connection %d: sent, jobs <%d>, accepted <%d>, decided on\n", c, group, accepted);
  if :: moving(group, A) -> printf(">>   A = %d, stamp %d\n", from.balance[A], from.stamp[A]) :: else fi;
  if :: moving(group, B) -> printf(">>   B = %d, stamp %d\n", from.balance[B], from.stamp[B]) :: else fi;
  if
  :: first[c].jobs == 0 -> write(first[c], group, from)
  :: else ->
    /* At most two statements are in flight on a connection. */
    assert(second[c].jobs == 0);
    write(second[c], group, from)
  fi
}

#ifdef UNFAIR_LOCKS
#define isFree(a) (row[a].lockedBy == 0)
#else
/* PostgreSQL grants a row in the order of the waiting statements. */
#define isFree(a) (row[a].lockedBy == 0 && row[a].waiting == 0)
#endif
#define isUnlocked(group, a) (!moving(group, a) || isFree(a))
#define isLockable(group) (isUnlocked(group, A) && isUnlocked(group, B))

/* begin; select ... for update, in the order of the keys */
inline lock(c, group) {
  if :: moving(group, A) -> row[A].lockedBy = c + 1 :: else fi;
  if :: moving(group, B) -> row[B].lockedBy = c + 1 :: else fi
}

inline acknowledge(group) {
  /* An acknowledged job is committed. */
  assert(((group) & ~(booked | refused)) == 0);
  answered = answered | (group)
}

/* The connection is lost. Its statements stay with a server process without a client. */
inline reconnect(c) {
  d_step {
    printf(">> connection %d: lost\n", c);
    if
    :: first[c].jobs ->
      k = CLIENTS;
      do
      :: first[k].jobs -> k++
      :: else -> break
      od;
      printf(">>   what it had received is left to connection %d\n", k);
      copy(first[k], first[c]);
      clear(first[c]);
      copy(second[k], second[c]);
      clear(second[c]);
      claims[k] = claims[c];
      claims[c] = 0;
      if :: row[A].lockedBy == c + 1 -> row[A].lockedBy = k + 1 :: else fi;
      if :: row[B].lockedBy == c + 1 -> row[B].lockedBy = k + 1 :: else fi
    :: else
    fi
  }
}

/* ---- The posting batcher --------------------------------------------------------------------- */

#define cache cached[w]

inline clearCache() {
  cache.stamp[A] = 0;
  cache.stamp[B] = 0;
  cache.balance[A] = 0;
  cache.balance[B] = 0
}

/* The balances of a group are cached with its stamp before its commit is confirmed. */
inline cacheDecided(from) {
  if
  :: moving(accepted, A) -> cache.balance[A] = after[A]; cache.stamp[A] = stampAfter(fresh, from.stamp[A])
  :: else
  fi;
  if
  :: moving(accepted, B) -> cache.balance[B] = after[B]; cache.stamp[B] = stampAfter(fresh, from.stamp[B])
  :: else
  fi
}

/* The outcome is unknown, so the clients retry with the same keys in any process. */
inline requeue(group) {
  if
  :: group == 0
  :: group != 0 -> queue[0] = queue[0] | group; group = 0
  :: group != 0 -> queue[1] = queue[1] | group; group = 0
  fi
}

#define isKnown(a) (!moving(group, a) || cache.stamp[a] != 0)
/* A job waits while the same key is in flight in this process. */
#define offers(job) (queue[w] & bit(job) & ~(oldest | newest))
#define offersAny (queue[w] & ~(oldest | newest))
inline take(job) {
  group = group | bit(job);
  queue[w] = queue[w] & ~bit(job)
}

proctype Batcher(byte w) {
  byte oldest; /* the group in flight that was sent first */
  byte newest; /* the group that was decided on the uncommitted balances of `oldest` */
  byte group;
  mtype answer;
  bit isTransactionLost;

end_waiting:
  do
  /* Posts a group of one or two jobs, while at most one other group is in flight. */
  :: atomic {
      newest == 0 && offersAny ->
      if
      :: offers(0) -> take(0)
      :: offers(1) -> take(1)
      :: offers(2) -> take(2)
      :: offers(3) -> take(3)
      fi;
      if
      :: true
      :: offers(0) -> take(0)
      :: offers(1) -> take(1)
      :: offers(2) -> take(2)
      :: offers(3) -> take(3)
      fi;
      if
      /* Missing balances are read on the same connection, after all statements sent before. */
      :: first[w].jobs == 0 || (isKnown(A) && isKnown(B)) ->
        d_step {
          if :: !isKnown(A) -> read(A, cache) :: else fi;
          if :: !isKnown(B) -> read(B, cache) :: else fi;
          decide(group, cache);
          send(w, group, cache);
          cacheDecided(cache);
          if
          :: oldest == 0 -> oldest = group
          :: else -> newest = group
          fi;
          group = 0
        }
      /* After a collision with another process, batchers post in locked mode for a while. */
      :: oldest == 0 -> oldest = group; group = 0; goto locked_mode
      fi
    }
  :: atomic {
      answers[w] ? answer ->
      if
      :: answer == COMMITTED -> answer = 0; acknowledge(oldest); oldest = newest; newest = 0
      :: else -> goto failed
      fi
    }
  /* The connection is lost. Another group may be sent on the next one before this is detected. */
  :: atomic {
      failures > 0 && oldest && len(answers[w]) < (newest -> 2 : 1) ->
      failures--;
      reconnect(w);
      do
      :: len(answers[w]) < (newest -> 2 : 1) -> answers[w] ! LOST
      :: else -> break
      od
    }
  :: atomic { failures > 0 && oldest -> failures--; goto killed }
  /* A client does not wait for the response and retries in the other process. */
  :: d_step {
      failures > 0 && oldest ->
      failures--;
      queue[1 - w] = queue[1 - w] | oldest;
      printf(">> the clients repeat jobs <%d> at batcher %d\n", oldest, 1 - w)
    }
  od;

  /* The oldest group failed. All groups in flight are awaited, and the cache is cleared. */
failed:
  atomic {
    if
    :: answer == LOST || answer == CANCELED -> requeue(oldest)
    :: else
    fi;
    answer = 0
  };
  if
  :: atomic { newest == 0 -> clearCache() }
  :: atomic {
      answers[w] ? answer ->
      if
      :: answer == COMMITTED -> acknowledge(newest); newest = 0
      :: answer == LOST || answer == CANCELED -> requeue(newest)
      :: else
      fi;
      answer = 0;
      clearCache()
    }
  :: atomic { failures > 0 && newest && empty(answers[w]) -> failures--; reconnect(w); requeue(newest); clearCache() }
  :: atomic { failures > 0 && newest -> failures--; goto killed }
  fi;

  /* Locked mode: the failed groups are decided on locked rows, one after the other, in order. */
locked_mode:
  do
  :: atomic { oldest == 0 && newest == 0 -> goto end_waiting }
  :: d_step { oldest == 0 && newest != 0 -> oldest = newest; newest = 0 }
  :: atomic { oldest && isLockable(oldest) && !(oldest & ~usedKeys) -> acknowledge(oldest); oldest = 0 }
  :: atomic {
      oldest && isLockable(oldest) && (oldest & ~usedKeys) ->
      group = oldest & ~usedKeys;
      /* If the connection is lost after rows were locked, the statement is sent without locks. */
      if
      :: true
      :: failures > 0 -> failures--; isTransactionLost = 1; reconnect(w)
      fi;
      d_step {
        read(A, books);
        read(B, books);
        if :: isTransactionLost -> isTransactionLost = 0 :: else -> lock(w, group) fi;
        decide(group, books);
        send(w, group, books);
        cacheDecided(books);
        group = 0
      }
    };
    if
    :: atomic {
        answers[w] ? answer ->
        if
        :: answer == COMMITTED -> acknowledge(oldest); oldest = 0
        :: answer == CANCELED -> clearCache(); requeue(oldest)
        :: else -> clearCache()
        fi;
        answer = 0
      }
    :: atomic { failures > 0 && empty(answers[w]) -> failures--; reconnect(w); clearCache(); requeue(oldest) }
    :: atomic { failures > 0 -> failures--; goto killed }
    fi
  od;

  /* The process is killed and restarted. The cache is empty, and sent statements continue. */
killed:
  atomic {
    printf(">> batcher %d: killed\n", w);
    reconnect(w);
    do
    :: answers[w] ? answer
    :: empty(answers[w]) -> break
    od;
    answer = 0;
    clearCache();
    requeue(oldest);
    requeue(newest);
    goto end_waiting
  }
}

/* ---- A command that books by itself ---------------------------------------------------------- */

proctype Command() {
  bit isLocking;
  mtype answer;

  /* While other processes use the same accounts, a command locks rows in its first attempt. */
  if
  :: true
  :: isLocking = 1
  fi;

attempt:
  atomic {
    if
    :: !isLocking
    :: isLocking && isLockable(TRANSFER) -> lock(COMMAND, TRANSFER)
    fi;
    d_step {
      read(A, books);
      read(B, books);
      decide(TRANSFER, books);
      if
      :: accepted && !isForbidden -> send(COMMAND, TRANSFER, books)
      :: else -> unlock(COMMAND); isLocking = 0; answer = GUARD_FAILED
      fi
    };
    if
    :: answer == 0
    :: answer != 0 -> answer = 0; goto refuse
    fi
  };
  if
  :: atomic { answers[COMMAND] ? answer -> isLocking = 0 }
  :: atomic { failures > 0 && empty(answers[COMMAND]) -> failures--; reconnect(COMMAND); isLocking = 0; answer = LOST }
  fi;
  atomic {
    if
    /* If the key was already used, the stored response is returned. */
    :: answer == COMMITTED || answer == KEY_USED -> answer = 0; acknowledge(TRANSFER); goto done
    /* The second attempt locks rows. A retry in another process starts with a first attempt. */
    :: answer == LOST || answer == CANCELED -> answer = 0; goto attempt
    :: answer != COMMITTED && answer != KEY_USED -> answer = 0; isLocking = 1; goto attempt
    fi
  };

  /* A rejection writes nothing. It only checks for an earlier attempt with the same key. */
refuse:
  atomic {
#ifdef CLAIMED_REFUSAL
    !(TRANSFER & (claims[0] | claims[1] | claims[2] | claims[3] | claims[4]));
#endif
    if
    :: usedKeys & TRANSFER -> acknowledge(TRANSFER)
    :: else ->
      printf(">> the client of the command receives a rejection\n");
      isDeclined = 1;
      answered = answered | TRANSFER;
#ifdef CLAIMED_REFUSAL
      refused = refused | TRANSFER
#endif
    fi
  };
done:
  skip
}

#ifdef UNHELD_INPUT
active proctype Revocation() {
  d_step { isForbidden = 1; printf(">> the input that is not guarded changes\n") }
}
#endif

/* ---- Scenarios ------------------------------------------------------------------------------- */

proctype Monitor() {
  timeout ->
    /* When the system has come to rest, every client has received a response. */
    assert(answered == jobs)
}

inline scenario(first_batcher, second_batcher, command, may_fail) {
  queue[0] = first_batcher;
  queue[1] = second_batcher;
  jobs = first_batcher | second_batcher | command;
  failures = may_fail
}

init {
  atomic {
    row[A].balance = OPENING_A;
    row[A].entries = OPENING_A;
    row[A].lastAfter = OPENING_A;
    row[A].stamp = 1;
    row[B].balance = OPENING_B;
    row[B].entries = OPENING_B;
    row[B].lastAfter = OPENING_B;
    row[B].stamp = 1;
    if
#ifdef DEEP
    :: scenario(bit(0) | bit(1), bit(2) | bit(3), TRANSFER, 1)
    :: scenario(bit(0) | bit(1), bit(2), 0, 2)
#elif defined(UNHELD_INPUT)
    :: scenario(bit(0), bit(2), TRANSFER, 1)
    :: scenario(bit(0), 0, TRANSFER, 2)
#else
    :: scenario(bit(0) | bit(1), bit(2) | bit(3), TRANSFER, 0)
    :: scenario(bit(0) | bit(1) | bit(2), bit(3), TRANSFER, 0)
#ifndef NO_FAILURES
    :: scenario(bit(0) | bit(1), 0, 0, 2)
    :: scenario(bit(0), bit(2), 0, 2)
    :: scenario(bit(0), 0, TRANSFER, 2)
#ifndef SMALL
    :: scenario(bit(0) | bit(1), bit(2) | bit(3), 0, 1)
    :: scenario(bit(0) | bit(1), bit(2), TRANSFER, 1)
#endif
#endif
#endif
    fi;
    run Backend(0);
    run Backend(1);
    run Backend(2);
    run Backend(3);
    run Backend(4);
    run Batcher(0);
    run Batcher(1);
    run Monitor();
    if
    :: jobs & TRANSFER -> run Command()
    :: else
    fi
  }
}
