/*
 * How several processes post to the same ledger accounts, as a model for the checker Spin. README.md
 * in this folder describes the protocol, the assumptions, the properties and the bounds.
 *
 * Names follow the code: posting batcher (posting-batcher.ts), locked mode (its #postLocked), command
 * (_kernel/command.ts), guard and balance check (ledger.book and the triggers, in SQL).
 * The comment above an assertion is the property it checks; scripts/check-model.mjs prints it.
 *
 * Variants, chosen with -D; without one it is the protocol as implemented, GUARD_STAMP:
 *   GUARD_COUNTER       the guard is a counter that each change adds one to
 *   COUNTER_WITH_CHECK  the counter, and the database checks that a balance changes by its entries
 *   STAMP_PER_WRITER    a stamp identifies the writer and the group, but not the attempt
 *   NO_KEY_CLAIM        the statement does not claim the idempotency keys
 *   UNHELD_REFUSAL      balances that were only looked at are not guarded
 *   UNHELD_INPUT        a command also decides on something that its statement does not guard
 *   CLAIMED_REFUSAL     a command that is refused claims its key (together with UNHELD_INPUT)
 *   UNFAIR_LOCKS        locked mode may overtake a statement that waits for the same row
 * Options:
 *   BALANCES_ONLY       leaves out the property about refusals
 *   NO_FAILURES         the scenarios in which nothing fails only
 *   SMALL               the smaller scenarios only
 *   DEEP                larger scenarios
 */

#ifdef COUNTER_WITH_CHECK
#define GUARD_COUNTER
#define BALANCE_CHECK
#endif

/* ---- Bounds ---------------------------------------------------------------------------------- */

/*
 * Two accounts, neither may be overdrawn, and five jobs. A job is one posting under one idempotency
 * key; a set of jobs is a byte with one bit for each.
 *
 *   job 0  payment     A -2
 *   job 1  reversal    A -1
 *   job 2  deposit     A +2
 *   job 3  payment     B -1           refused unless job 4 came first
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
/* The jobs of a set that move an account. */
#define moving(jobs, a) ((jobs) & ((a) == A -> bit(0) | bit(1) | bit(2) | bit(4) : bit(3) | bit(4)))

/*
 * Connections: one for each batcher, one for the command, and two for what a lost connection leaves
 * behind. The server process of a lost connection goes on with the statements it had received.
 */
#define BATCHERS 2
#define COMMAND 2
#define CLIENTS 3
#define CONNECTIONS 5

/* ---- The database ---------------------------------------------------------------------------- */

/* The answer to a statement. LOST is what the driver reports when the connection is lost. */
mtype = { COMMITTED, GUARD_FAILED /* BG001 */, KEY_USED /* 23505, or claimed = 0 */,
          DEADLOCK /* 40P01 */, CANCELED /* a timeout, a terminated server process */, LOST };

/*
 * A row of ledger.balance, and what its entries say: `entries` is the opening balance plus the amounts
 * of all committed entries, `lastAfter` the running balance on the last of them.
 */
typedef Row {
  short balance;
  byte stamp;
  byte lockedBy; /* connection + 1 of the transaction in locked mode that holds the row */
  byte waiting;  /* statements that wait for the row; nobody overtakes them */
  short entries;
  short lastAfter
};
Row row[ACCOUNTS];

/* kernel.idempotency: the jobs whose key is taken, by what became of them. */
byte booked;
byte refused;

/*
 * A statement as it was sent. It holds `stamp[a]`, the stamp each balance was read with (0: not
 * looked at), and writes absolute balances: `balance[a]` as decided on, plus the accepted amounts.
 */
typedef Statement {
  byte jobs;
  byte accepted;
  byte newStamp;
  byte stamp[ACCOUNTS];
  short balance[ACCOUNTS]
};
/* What a connection has received and not finished, in order: at most two statements. */
Statement first[CONNECTIONS];
Statement second[CONNECTIONS];
/* Keys that an unfinished statement has inserted: others that insert them wait. */
byte claims[CONNECTIONS];

chan answers[CLIENTS] = [2] of { mtype };

/* ---- The clients ----------------------------------------------------------------------------- */

byte queue[BATCHERS]; /* jobs that wait at a batcher */
byte jobs;            /* all jobs of the scenario */
byte answered;        /* jobs whose client has its answer */
bit isDeclined;       /* the command's client was told that it is refused; nothing is written then */
byte failures;        /* how many failures may still happen */
#ifdef UNHELD_INPUT
bit isForbidden;      /* an input that the statement does not guard, say an entitlement or a limit */
#else
#define isForbidden 0
#endif

typedef Balances {
  byte stamp[ACCOUNTS]; /* 0: not known */
  short balance[ACCOUNTS]
};
Balances cached[BATCHERS];

/* Scratch variables: set and used within one step, so they are no part of a state. */
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
/* Two connections wait for each other: c for a key of d, d for a row that c has locked. */
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

/* Commit or rollback: releases rows and keys, answers whoever is still there, takes the next statement. */
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

/* ledger.book: the guard, then the entries and the balances. All rows are locked meanwhile: one step. */
inline execute(c) {
  passes = 1;
  for (a : 0 .. ACCOUNTS - 1) {
    if
    :: holds(c, a) && first[c].stamp[a] != row[a].stamp -> passes = 0
    :: else
    fi;
#ifdef BALANCE_CHECK
    /* The new balance minus the one in the row is the sum of the entries inserted with it. */
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
    /* A job takes no effect after its client was told that it is refused. */
    assert(!(isDeclined && (first[c].accepted & TRANSFER)));
    for (a : 0 .. ACCOUNTS - 1) {
#ifndef BALANCES_ONLY
      /* A refusal was decided on the balance as it is. */
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
        /* Running balances chain: an entry starts from what the entry before it left. */
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
 * A server process of PostgreSQL: executes what its connection has received, in order, each statement
 * in a transaction of its own (or in that of locked mode, which the statement ends). When the
 * connection is lost, what it had received may still be executed at any later time, or never.
 */
proctype Backend(byte c) {
end_idle:
  do
  :: d_step { first[c].jobs && areKeysFree(c) && areRowsFree(c) -> execute(c) }
  /* The keys are inserted before the rows are locked: a statement that waits for a row has its keys. */
  :: d_step {
      first[c].jobs && areKeysFree(c) && !areRowsFree(c) && !claims[c] ->
      claims[c] = first[c].jobs;
      printf(">> connection %d: waits for a row, jobs <%d>\n", c, first[c].jobs);
      if :: holds(c, A) -> row[A].waiting++ :: else fi;
      if :: holds(c, B) -> row[B].waiting++ :: else fi
    }
  :: d_step { !isKeyPending(c) && (first[c].jobs & usedKeys) -> finish(c, KEY_USED) }
  /* The deadlock detector ends one of the two, either one. */
  :: d_step { first[c].jobs && isInCycle(c) -> finish(c, DEADLOCK) }
  :: d_step { first[c].jobs && c >= CLIENTS -> finish(c, CANCELED) }
  :: d_step { first[c].jobs && c < CLIENTS && failures > 0 -> failures--; finish(c, CANCELED) }
  od
}

/* ---- Deciding and sending -------------------------------------------------------------------- */

#ifdef STAMP_PER_WRITER
/* The same for every attempt at a group: derived from the first of its jobs. */
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
 * A random UUID is unlike any other. In the model it is the writer's first number that nothing refers
 * to any more: what nothing refers to cannot be compared with, and the number of states stays finite.
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
  /* The model's own bound: stamps fit the set. */
  assert(fresh < 31)
}
#endif

inline read(a, into) {
  into.stamp[a] = row[a].stamp;
  into.balance[a] = row[a].balance
}

/* Decides the jobs in order, each on what the one before it left. */
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
/* PostgreSQL gives a row to those who wait for it in order: who comes later cannot overtake. */
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

/* The connection is lost: what it had received is left to a server process that answers nobody. */
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

inline forget() {
  cache.stamp[A] = 0;
  cache.stamp[B] = 0;
  cache.balance[A] = 0;
  cache.balance[B] = 0
}

/* What a group will leave is cached with its stamp before it is known to have committed. */
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

/* The clients learn that the outcome is unknown, and repeat under their keys: here or elsewhere. */
inline giveBack(group) {
  if
  :: group == 0
  :: group != 0 -> queue[0] = queue[0] | group; group = 0
  :: group != 0 -> queue[1] = queue[1] | group; group = 0
  fi
}

#define isKnown(a) (!moving(group, a) || cache.stamp[a] != 0)
/* A key that is in flight in this process is not posted a second time before its first use is done. */
#define offers(job) (queue[w] & bit(job) & ~(oldest | newest))
#define offersAny (queue[w] & ~(oldest | newest))
inline take(job) {
  group = group | bit(job);
  queue[w] = queue[w] & ~bit(job)
}

proctype Batcher(byte w) {
  byte oldest; /* the group in flight that was sent first */
  byte newest; /* the one decided on what `oldest` will leave */
  byte group;
  mtype answer;
  bit isTransactionLost;

end_waiting:
  do
  /* Posts a group of one or two jobs, while at most one other is in flight. */
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
      /* What is not cached is read on the same connection, so after everything sent before. */
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
  /* The connection is lost. Before it is noticed, another group may go out on the next connection. */
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
  /* A client does not wait for its answer and repeats at the other process. */
  :: d_step {
      failures > 0 && oldest ->
      failures--;
      queue[1 - w] = queue[1 - w] | oldest;
      printf(">> the clients repeat jobs <%d> at batcher %d\n", oldest, 1 - w)
    }
  od;

  /* The oldest group failed: everything in flight is awaited, and the cache is cleared. */
failed:
  atomic {
    if
    :: answer == LOST || answer == CANCELED -> giveBack(oldest)
    :: else
    fi;
    answer = 0
  };
  if
  :: atomic { newest == 0 -> forget() }
  :: atomic {
      answers[w] ? answer ->
      if
      :: answer == COMMITTED -> acknowledge(newest); newest = 0
      :: answer == LOST || answer == CANCELED -> giveBack(newest)
      :: else
      fi;
      answer = 0;
      forget()
    }
  :: atomic { failures > 0 && newest && empty(answers[w]) -> failures--; reconnect(w); giveBack(newest); forget() }
  :: atomic { failures > 0 && newest -> failures--; goto killed }
  fi;

  /* Locked mode: the groups that failed are decided on locked rows, one after the other, in order. */
locked_mode:
  do
  :: atomic { oldest == 0 && newest == 0 -> goto end_waiting }
  :: d_step { oldest == 0 && newest != 0 -> oldest = newest; newest = 0 }
  :: atomic { oldest && isLockable(oldest) && !(oldest & ~usedKeys) -> acknowledge(oldest); oldest = 0 }
  :: atomic {
      oldest && isLockable(oldest) && (oldest & ~usedKeys) ->
      group = oldest & ~usedKeys;
      /* When the connection is lost after the rows were locked, the statement goes out without them. */
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
        :: answer == CANCELED -> forget(); giveBack(oldest)
        :: else -> forget()
        fi;
        answer = 0
      }
    :: atomic { failures > 0 && empty(answers[w]) -> failures--; reconnect(w); forget(); giveBack(oldest) }
    :: atomic { failures > 0 -> failures--; goto killed }
    fi
  od;

  /* The process is killed, and another one started: the cache is empty, what was sent is on its own. */
killed:
  atomic {
    printf(">> batcher %d: killed\n", w);
    reconnect(w);
    do
    :: answers[w] ? answer
    :: empty(answers[w]) -> break
    od;
    answer = 0;
    forget();
    giveBack(oldest);
    giveBack(newest);
    goto end_waiting
  }
}

/* ---- A command that books by itself ---------------------------------------------------------- */

proctype Command() {
  bit isLocking;
  mtype answer;

  /* While other processes move the same accounts, it locks at its first try. */
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
    /* A key that had been used answers what it answered then. */
    :: answer == COMMITTED || answer == KEY_USED -> answer = 0; acknowledge(TRANSFER); goto done
    /* From the second try on it locks; who repeats in another process begins with the first. */
    :: answer == LOST || answer == CANCELED -> answer = 0; goto attempt
    :: answer != COMMITTED && answer != KEY_USED -> answer = 0; isLocking = 1; goto attempt
    fi
  };

  /* A refusal writes nothing. Only an earlier attempt under the same key is looked for. */
refuse:
  atomic {
#ifdef CLAIMED_REFUSAL
    !(TRANSFER & (claims[0] | claims[1] | claims[2] | claims[3] | claims[4]));
#endif
    if
    :: usedKeys & TRANSFER -> acknowledge(TRANSFER)
    :: else ->
      printf(">> the client of the command is told that it is refused\n");
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
    /* When nothing can happen any more, every client has its answer. */
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
