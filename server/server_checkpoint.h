/*
 * server_checkpoint.h - checkpoints of searches: asked for from time to time and at a pause or a
 * drain, stored with the job that leads the run, given back to the engine when the job is started
 * again after a restart.
 *
 *   tick, pause, drain -> engine_job_checkpoint
 *        ENGINE_EVENT_CHECKPOINT -> store CHECKPOINT     (never waited for)
 *   restart: store CLAIM brings the bytes -> server_run_start
 *
 * A checkpoint that cannot be stored is told to the log and counted; the search goes on, and the
 * next one is tried when it is due.
 */
#ifndef SERVER_SERVER_CHECKPOINT_H
#define SERVER_SERVER_CHECKPOINT_H

struct server;
struct server_run;

/* Asks for one now, if the configuration wants any. */
void server_checkpoint_ask(struct server_run *run);

/* Asks for those that are due. */
void server_checkpoint_tick(struct server *server);

/* The engine has one. */
void server_checkpoint_take(struct server_run *run);

#endif
