/* stream_pgoutput--1.0.sql */

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION stream_pgoutput" to load this file. \quit

-- ----------------------------------------------------------------
-- Decode: what a slot sends
-- ----------------------------------------------------------------


-- ----------------------------------------------------------------
-- Explain: what would be sent, and why not
-- ----------------------------------------------------------------


-- ----------------------------------------------------------------
-- Statistics: what was sent, and what it cost
-- ----------------------------------------------------------------

