create database bankgraph_sandbox;
